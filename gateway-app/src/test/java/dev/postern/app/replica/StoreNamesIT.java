package dev.postern.app.replica;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.core.testing.RawClient;
import dev.postern.core.testing.ServerProcess;
import dev.postern.core.testing.TestOrigin;
import java.nio.file.Files;
import java.nio.file.Path;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests a memcached whose name gets another address: the ring keeps the name, and the connection goes to the new address. The names are
 * those of a hosts file, which Java reads instead of asking a name server, and caches in the same way.
 */
@Tag("faults")
@Tag("long")
class StoreNamesIT {

    @TempDir
    private Path folder;

    @ParameterizedTest
    @ValueSource(strings = {"spymemcached", "netty"})
    void followsTheNameOfAMemcached(String client) throws Exception {
        int port = ServerProcess.freePort();
        Path hosts = Files.writeString(folder.resolve("hosts"), "127.0.0.1 cache.example\n");
        String ledger = "{store: memcached, deadline: 5s, memcached: {servers: [\"cache.example:" + port
                + "\"], client: " + client + "}}";
        try (TestOrigin origin = new TestOrigin();
                ServerProcess old = ServerProcess.memcached("127.0.0.1", port, 64);
                ServerProcess moved = ServerProcess.memcached("127.0.0.2", port, 64)) {
            old.start();
            String yaml = "listeners:\n  - {name: web, address: \"127.0.0.1:{port}\", congestion-control: reno}\n"
                    + "admin: {address: \"127.0.0.1:{admin}\"}\n"
                    + Replicas.yaml(1, Replicas.ring(folder), origin.address(), ledger);
            try (GatewayProcess gateway = new GatewayProcess(
                            folder, "names", yaml, GatewayProcess.Launch.FRUGAL.with("-Djdk.net.hosts.file=" + hosts))
                    .awaitReady()) {
                awaitSpend(gateway);
                old.kill();
                moved.start();
                Files.writeString(hosts, "127.0.0.2 cache.example\n");

                awaitSpend(gateway);
                assertThat(readiness(gateway)).contains("cache.example:" + port);
            }
        }
    }

    private static void awaitSpend(GatewayProcess gateway) {
        Awaitility.await().ignoreExceptions().until(() -> {
            String token = Replicas.freshToken(gateway.port());
            try (RawClient spending = new RawClient(gateway.port())) {
                return spending.send(Replicas.redeeming(token)).read().status() == 200;
            }
        });
    }

    private static String readiness(GatewayProcess gateway) {
        try (RawClient client = new RawClient(gateway.admin())) {
            return client.send("GET /readyz HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
                    .read()
                    .body();
        }
    }
}
