package dev.postern.core.route;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.core.testing.FrameClient;
import dev.postern.core.testing.LeakExtension;
import dev.postern.core.testing.MemoryGateway;
import dev.postern.core.testing.MemoryOrigin;
import dev.postern.core.testing.RawClient;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Tests that a client whose paths have too many readings is refused, and that keys of object stores pass beside it. */
@ExtendWith(LeakExtension.class)
class ReadingsTest {

    private static final int ROUNDS = 20;
    private static final List<String> HONEST = List.of(
            "/bucket/dir//file", "/bucket/%7euser/a;v=1/./b", "/render/https://x/y", "/a//b/%2561;x/y", "/plain");
    private static final List<String> ATTACKS =
            List.of("/a//b/%2561;x/y%3Fz", "/" + "%3B%253Ba%25253Bb%2525253Bc;d/x%2525252F".repeat(20));

    private final MemoryGateway gateway = new MemoryGateway();
    private final MemoryOrigin origin = gateway.origin();

    @AfterEach
    void close() {
        gateway.close();
    }

    @Test
    void honestPathsPassOnTheSameConnection() {
        try (FrameClient client = gateway.client2()) {
            int id = 1;
            for (int i = 0; i < ROUNDS; i++) {
                int first = id;
                for (int k = 0; k < HONEST.size(); k++, id += 4) {
                    client.get(id, ATTACKS.get(k % ATTACKS.size())).get(id + 2, HONEST.get(k));
                }
                for (int stream = first; stream < id; stream += 4) {
                    assertThat(client.response(stream).body()).contains("request-malformed");
                    assertThat(client.response(stream + 2).status()).isEqualTo("200");
                }
            }
            assertThat(client.outcome(0)).isEqualTo("ALIVE");
        }
        assertArrived();
    }

    private void assertArrived() {
        assertThat(origin.received())
                .hasSize(ROUNDS * HONEST.size())
                .extracting(request -> request.line().split(" ")[1])
                .hasSameElementsAs(HONEST);
    }

    @Test
    void honestPathsPassBesideAnAttacker() {
        try (RawClient attacker = gateway.client();
                RawClient honest = gateway.client()) {
            for (int i = 0; i < ROUNDS; i++) {
                for (String path : ATTACKS) {
                    attacker.send("GET " + path + " HTTP/1.1\r\nHost: h\r\n\r\n");
                }
                for (String path : HONEST) {
                    assertThat(honest.get(path).status()).as(path).isEqualTo(200);
                }
                for (String path : ATTACKS) {
                    assertThat(attacker.read().body()).as(path).contains("request-malformed");
                }
            }
        }
        assertArrived();
    }
}
