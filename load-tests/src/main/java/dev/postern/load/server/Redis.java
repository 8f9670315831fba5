package dev.postern.load.server;

import dev.postern.load.measure.Command;
import java.time.Duration;
import java.util.List;

/** Redis server of the system's package, without persistence. */
public record Redis(ServerProcess process, int port) {
    public static Redis start(RunFolder folder, Cores cores) {
        return start(folder, cores, Ports.free());
    }

    /** Starts an empty server on that port. */
    public static Redis start(RunFolder folder, Cores cores, int port) {
        List<String> command = Command.of(
                "redis-server --bind 127.0.0.1 --appendonly no --port",
                port,
                "--save",
                "",
                "--dir",
                folder.folder("redis"));
        return new Redis(ServerProcess.listening(folder, "redis", cores, command, port), port);
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
}
