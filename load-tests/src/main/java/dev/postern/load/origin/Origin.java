package dev.postern.load.origin;

import dev.postern.app.socket.Http1Socket;
import dev.postern.load.server.Cores;
import dev.postern.load.server.Ports;
import dev.postern.load.server.Readiness;
import dev.postern.load.server.RunFolder;
import dev.postern.load.server.ServerProcess;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/** Origin of bounded capacity, as a process of its own. */
public record Origin(ServerProcess process, int port) implements AutoCloseable {
    /** How long a request occupies a worker. */
    public static final Duration BUSY = Duration.ofMillis(40);

    /**
     * Starts an origin.
     *
     * @param gap silence after which a session is no longer active
     * @param parts of a whole page
     */
    public static Origin start(RunFolder folder, String name, int workers, Duration gap, int parts) {
        int port = Ports.free();
        List<String> command = List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx128m",
                "-XX:+UseSerialGC",
                "-cp",
                System.getProperty("java.class.path"),
                OriginWorker.class.getName(),
                String.valueOf(port),
                String.valueOf(workers),
                String.valueOf(BUSY.toMillis()),
                String.valueOf(gap.toMillis()),
                String.valueOf(parts));
        ServerProcess process = ServerProcess.start(folder, name, Cores.ANY, command);
        process.await(Duration.ofSeconds(30), Readiness.accepts(port));
        return new Origin(process, port);
    }

    /** Returns the counters of the paths that begin with this segment. */
    public Counters counters(String crowd) {
        return Counters.parse(ask("/counters/" + crowd));
    }

    /** Returns the times of activity of the sessions of that crowd. */
    public Stretches sessions(String crowd) {
        return Stretches.parse(ask("/sessions/" + crowd));
    }

    private String ask(String path) {
        try (Http1Socket connection = Http1Socket.to(port)) {
            return connection.ask(Http1Socket.get(path, "")).body();
        } catch (IOException e) {
            throw new UncheckedIOException("origin: does not respond to " + path, e);
        }
    }

    @Override
    public void close() {
        process.close();
    }
}
