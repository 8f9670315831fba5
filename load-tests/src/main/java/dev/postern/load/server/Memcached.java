package dev.postern.load.server;

import java.time.Duration;
import java.util.List;

/** Memcached of the system's package, with {@code -M}: a full server responds with an error instead of evicting items. */
public record Memcached(ServerProcess process, int port) implements AutoCloseable {
    public static Memcached start(RunFolder folder, Cores cores) {
        int port = Ports.free();
        // Only root needs -u: memcached refuses to run as root without it.
        List<String> command = List.of(
                "memcached",
                "-M",
                "-U",
                "0",
                "-l",
                "127.0.0.1",
                "-p",
                String.valueOf(port),
                "-t",
                "1",
                "-m",
                "1024",
                "-u",
                System.getProperty("user.name"));
        ServerProcess process = ServerProcess.start(folder, "memcached", cores, command);
        process.await(Duration.ofSeconds(10), Readiness.accepts(port));
        return new Memcached(process, port);
    }

    @Override
    public void close() {
        process.close();
    }
}
