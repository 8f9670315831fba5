package dev.postern.load.server;

import java.time.Duration;
import java.util.List;

/** redis-server of the system's package, without persistence. */
public record Redis(ServerProcess process, int port) implements AutoCloseable {
    public static Redis start(RunFolder folder, Cores cores) {
        return start(folder, cores, Ports.free());
    }

    /** An empty one on that port. */
    public static Redis start(RunFolder folder, Cores cores, int port) {
        List<String> command = List.of(
                "redis-server",
                "--bind",
                "127.0.0.1",
                "--port",
                String.valueOf(port),
                "--save",
                "",
                "--appendonly",
                "no",
                "--dir",
                folder.folder("redis").toString());
        ServerProcess process = ServerProcess.start(folder, "redis", cores, command);
        process.await(Duration.ofSeconds(10), Readiness.accepts(port));
        return new Redis(process, port);
    }

    /** Stops it in the middle of whatever it does: connections stay open, nothing responses. */
    public void freeze() {
        process.signal("STOP");
    }

    public void thaw() {
        process.signal("CONT");
    }

    /** Ends it without a word; what it knew is gone. */
    public void kill() {
        process.signal("KILL");
        process.awaitEnd(Duration.ofSeconds(10));
        process.close();
    }

    @Override
    public void close() {
        process.close();
    }
}
