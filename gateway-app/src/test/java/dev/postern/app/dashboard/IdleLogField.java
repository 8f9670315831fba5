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

/** Extension without a function, so that metrics of extensions exist. */
public final class IdleLogField implements LogField {

    /** Packs a jar that names the extension; the class itself is loaded from the test class path. */
    static void jar(Path folder) throws IOException {
        Files.createDirectories(folder);
        try (JarOutputStream jar = new JarOutputStream(Files.newOutputStream(folder.resolve("idle.jar")))) {
            jar.putNextEntry(new JarEntry("META-INF/services/" + LogField.class.getName()));
            jar.write(IdleLogField.class.getName().getBytes(UTF_8));
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
