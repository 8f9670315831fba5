package dev.postern.app.replica;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.core.testing.RawClient;
import dev.postern.core.testing.ServerProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.awaitility.Awaitility;

/**
 * Load balancer of a cluster: HAProxy passes connections to the replicas that are ready, in turn, and never cuts one itself. Replicas join
 * while it runs, as pods do.
 */
final class HaproxyBalancer implements AutoCloseable {

    /** Slots for replicas; each is used once. */
    private static final int SLOTS = 8;

    private final ServerProcess server;
    private final int control = ServerProcess.freePort();
    private int taken;

    HaproxyBalancer(Path folder) throws IOException {
        int port = ServerProcess.freePort();
        StringBuilder text = new StringBuilder("""
                global
                  stats socket ipv4@127.0.0.1:%d level admin
                defaults
                  mode tcp
                  timeout connect 1s
                  timeout check 2s
                  timeout client 1m
                  timeout server 1m
                frontend web
                  bind 127.0.0.1:%d
                  default_backend gateways
                backend gateways
                  balance roundrobin
                  option httpchk
                  http-check send meth GET uri /readyz ver HTTP/1.1 hdr Host 127.0.0.1
                  http-check expect status 200
                """.formatted(control, port));
        for (int slot = 0; slot < SLOTS; slot++) {
            text.append(
                    "  server slot%d 127.0.0.1:1 check port 1 inter 100ms fall 1 rise 1 disabled\n".formatted(slot));
        }
        Path config = Files.writeString(folder.resolve("haproxy.cfg"), text);
        server = new ServerProcess("haproxy", port, "-db", "-f", config.toString());
        server.start();
    }

    int port() {
        return server.port();
    }

    /** Adds a replica that is ready, and waits until HAProxy has found that out. */
    void add(GatewayProcess replica) {
        String name = "gateways/slot" + taken++;
        command("set server " + name + " addr 127.0.0.1 port " + replica.port());
        command("set server " + name + " check-port " + replica.admin());
        command("enable health " + name);
        command("set server " + name + " state ready");
        // Fields of the format: 4 is the name, 6 the state, 2 while running.
        Awaitility.await()
                .untilAsserted(() -> assertThat(command("show servers state gateways"))
                        .containsPattern(" " + name.substring(name.indexOf('/') + 1) + " [0-9.]+ 2 "));
    }

    private String command(String text) {
        try (RawClient client = new RawClient(control)) {
            return client.send(text + "\n").rest();
        }
    }

    @Override
    public void close() {
        server.close();
    }
}
