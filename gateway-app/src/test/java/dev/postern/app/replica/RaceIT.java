package dev.postern.app.replica;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.core.testing.MemcachedExtension;
import dev.postern.core.testing.RawClient;
import dev.postern.core.testing.TestOrigin;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** One token over 64 connections at once: exactly one request gets through, whichever gateway it asked. */
class RaceIT {

    private static final int ROUNDS = 20;
    private static final int CONNECTIONS = 64;

    @RegisterExtension
    static final MemcachedExtension MEMCACHED = new MemcachedExtension();

    private final TestOrigin origin = new TestOrigin();

    @TempDir
    private Path folder;

    @AfterEach
    void close() {
        origin.close();
    }

    @Test
    void hasOneWinnerInOneGatewayWithAnEmbeddedLedger() throws IOException {
        String yaml = Replicas.yaml(1, Replicas.ring(folder), origin.address(), "");
        try (GatewayProcess one = new GatewayProcess("one", yaml, folder).awaitReady()) {
            race(List.of(one.port()));
        }
    }

    @Test
    void hasOneWinnerInTwoGatewaysOnOneMemcached() throws IOException {
        String yaml = Replicas.yaml(2, Replicas.ring(folder), origin.address(), MEMCACHED.address());
        try (GatewayProcess one = new GatewayProcess("one", yaml, folder);
                GatewayProcess two = new GatewayProcess("two", yaml, folder)) {
            race(List.of(one.awaitReady().port(), two.awaitReady().port()));
        }
    }

    private void race(List<Integer> ports) {
        List<RawClient> clients = new ArrayList<>();
        try {
            for (int i = 0; i < CONNECTIONS; i++) {
                clients.add(new RawClient(ports.get(i % ports.size())));
            }
            for (int round = 0; round < ROUNDS; round++) {
                int before = origin.received().size();
                String request = Replicas.redeeming(Replicas.freshToken(ports.get(round % ports.size())));
                // All but the last byte first, so that the requests become whole within microseconds of each other.
                clients.forEach(c -> c.send(request.substring(0, request.length() - 1)));
                clients.forEach(c -> c.send(request.substring(request.length() - 1)));
                List<Integer> statuses =
                        clients.stream().map(c -> c.read().status()).toList();
                assertThat(statuses)
                        .as("round %d", round)
                        .containsOnly(200, 401)
                        .containsOnlyOnce(200);
                assertThat(origin.received()).hasSize(before + 1);
            }
        } finally {
            clients.forEach(RawClient::close);
        }
    }
}
