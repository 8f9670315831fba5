package dev.postern.app.reload;

import dev.postern.app.config.read.LoadedConfig;
import java.io.IOException;

/** Source of the configuration, read anew at each reload. */
@FunctionalInterface
public interface ReloadSource {

    LoadedConfig load() throws IOException;
}
