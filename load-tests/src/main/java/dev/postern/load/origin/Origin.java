package dev.postern.load.origin;

import dev.postern.app.socket.Http1Socket;
import dev.postern.load.measure.Command;
import dev.postern.load.server.Cores;
import dev.postern.load.server.Ports;
import dev.postern.load.server.RunFolder;
import dev.postern.load.server.ServerProcess;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.List;

/** Origin of bounded capacity, as a process of its own. */
public record Origin(ServerProcess process, int port) {
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
        List<String> command = Command.java(
                List.of("-Xmx128m", "-XX:+UseSerialGC"),
                OriginWorker.class.getName(),
                port,
                workers,
                BUSY.toMillis(),
                gap.toMillis(),
                parts);
        return new Origin(ServerProcess.listening(folder, name, Cores.ANY, command, port), port);
    }

    /** Returns the counters of the paths that begin with this segment. */
    public Counters counters(String crowd) {
        return ask("/counters/" + crowd, Counters.class);
    }

    /** Returns the times of activity of the sessions of that crowd. */
    public Stretches sessions(String crowd) {
        return ask("/sessions/" + crowd, Stretches.class);
    }

    private <T> T ask(String path, Class<T> type) {
        try (Http1Socket connection = Http1Socket.to(port)) {
            return OriginWorker.JSON.readValue(
                    connection.ask(Http1Socket.get(path, "")).body(), type);
        } catch (IOException e) {
            throw new UncheckedIOException("origin: does not respond to " + path, e);
        }
    }
}
