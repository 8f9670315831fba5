package dev.postern.load.server;

import dev.postern.load.measure.Command;
import java.util.List;

/** Memcached of the system's package, with {@code -M}: a full server responds with an error instead of evicting items. */
public record Memcached(ServerProcess process, int port) {
    public static Memcached start(RunFolder folder, Cores cores) {
        int port = Ports.free();
        // Only root needs -u: memcached refuses to run as root without it.
        List<String> command = Command.of(
                "memcached -M -U 0 -l 127.0.0.1 -t 1 -m 1024 -p", port, "-u", System.getProperty("user.name"));
        return new Memcached(ServerProcess.listening(folder, "memcached", cores, command, port), port);
    }
}
