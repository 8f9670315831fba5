package dev.postern.load.server;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.time.format.DateTimeFormatter;

/** Run folder under {@code target}: generated configurations, logs and tokens of one run, kept for inspection. */
public final class RunFolder {
    private static final DateTimeFormatter STAMP = DateTimeFormatter.ofPattern("yyyyMMdd-HHmmss");

    private final Path path;

    private RunFolder(Path path) {
        this.path = path;
    }

    /** Creates a new, empty folder; the working directory is the project's root. */
    public static RunFolder create(String name) {
        Path parent = Path.of("load-tests", "target", "runs").toAbsolutePath();
        try {
            Files.createDirectories(parent);
            String stamp = name + "-" + LocalDateTime.now().format(STAMP) + "-";
            return new RunFolder(Files.createTempDirectory(parent, stamp));
        } catch (IOException e) {
            throw new UncheckedIOException(parent + ": not writable (expected: run from the project's root)", e);
        }
    }

    /** Returns the run folder at this path, which exists. */
    public static RunFolder at(Path path) {
        return new RunFolder(path);
    }

    public Path file(String name) {
        return path.resolve(name);
    }

    /** Creates a folder inside of this one. */
    public Path folder(String name) {
        try {
            return Files.createDirectories(path.resolve(name));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public Path write(String name, String text) {
        try {
            return Files.writeString(path.resolve(name), text);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public String toString() {
        return path.toString();
    }
}
