package dev.postern.app.dashboard;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.postern.core.spi.LogField;
import dev.postern.core.spi.Request;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import org.jspecify.annotations.Nullable;

/** An extension that does nothing, so that there is one whose faults can be counted. */
public final class IdleField implements LogField {

    /** Packs a jar that names it; the class itself is found beside the gateway's. */
    static void jar(Path folder) throws IOException {
        Files.createDirectories(folder);
        try (JarOutputStream jar = new JarOutputStream(Files.newOutputStream(folder.resolve("idle.jar")))) {
            jar.putNextEntry(new JarEntry("META-INF/services/" + LogField.class.getName()));
            jar.write(IdleField.class.getName().getBytes(UTF_8));
        }
    }

    @Override
    public String name() {
        return "idle";
    }

    @Override
    public @Nullable String value(Request request, int status) {
        return null;
    }
}
