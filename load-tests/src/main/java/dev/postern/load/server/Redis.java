package dev.postern.load.server;

import java.time.Duration;
import java.util.List;

/** redis-server of the system's package, without persistence. */
public record Redis(ServerProcess process, int port) implements AutoCloseable {
    public static Redis start(RunFolder folder, Cores cores) {
        int port = Ports.free();
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

    @Override
    public void close() {
        process.close();
    }
}
