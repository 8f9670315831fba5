package dev.postern.app.log;

import dev.postern.core.config.HostPort;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * Target of the exchange log, as operators write it: {@code stdout}, {@code file:PATH} or {@code syslog:HOST:PORT}.
 *
 * @param file null for other targets
 * @param server null for other targets
 */
public record LogTarget(@Nullable Path file, @Nullable HostPort server) {

    static final LogTarget STDOUT = new LogTarget(null, null);

    private static final String NAME = "stdout";
    private static final String FILE = "file:";
    private static final String SYSLOG = "syslog:";
    private static final String EXPECTED = "stdout, file: with an absolute path, or syslog:HOST:PORT";

    /** Parses a target; the message of the {@link IllegalArgumentException} says what was expected. */
    public static LogTarget of(String text) {
        if (text.equals(NAME)) {
            return STDOUT;
        }
        if (text.startsWith(FILE)) {
            return new LogTarget(path(text.substring(FILE.length())), null);
        }
        if (text.startsWith(SYSLOG)) {
            return new LogTarget(null, server(text.substring(SYSLOG.length())));
        }
        throw new IllegalArgumentException(EXPECTED);
    }

    private static Path path(String text) {
        try {
            Path path = Path.of(text);
            if (path.isAbsolute() && path.getFileName() != null) {
                return path;
            }
        } catch (InvalidPathException e) {
            throw new IllegalArgumentException(EXPECTED, e);
        }
        throw new IllegalArgumentException(EXPECTED);
    }

    private static HostPort server(String text) {
        HostPort server = HostPort.of(text);
        if (!server.connectable()) {
            throw new IllegalArgumentException(EXPECTED);
        }
        return server;
    }

    @Override
    public String toString() {
        return file != null ? FILE + file : server != null ? SYSLOG + server : NAME;
    }
}
