package dev.postern.load.server;

import java.time.Duration;
import java.util.List;

/** Redis server of the system's package, without persistence. */
public record Redis(ServerProcess process, int port) implements AutoCloseable {
    public static Redis start(RunFolder folder, Cores cores) {
        return start(folder, cores, Ports.free());
    }

    /** Starts an empty server on that port. */
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

    /** Stops the process at its current instruction: connections stay open, no response is sent. */
    public void freeze() {
        process.signal("STOP");
    }

    public void thaw() {
        process.signal("CONT");
    }

    /** Kills the process; its data is lost. */
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
