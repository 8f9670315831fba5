package dev.postern.app.log;

import dev.postern.core.config.HostPort;
import io.netty.util.concurrent.Ticker;
import java.nio.file.Path;
import java.time.InstantSource;
import org.jspecify.annotations.Nullable;

/**
 * Opener of the outputs that the configuration offers.
 *
 * @param stdout output where the target is standard output
 */
public record LineOutputs(LineOutput stdout, InstantSource clock, Ticker ticker) implements LineOutput.Opener {

    @Override
    public LineOutput open(LogSettings.Exchanges settings) {
        @Nullable Path file = settings.to().file();
        @Nullable HostPort server = settings.to().server();
        if (file != null) {
            return new FileOutput(file, settings.maxSize().bytes(), settings.keep());
        }
        return server == null ? stdout : new SyslogOutput(server, clock, ticker);
    }
}
