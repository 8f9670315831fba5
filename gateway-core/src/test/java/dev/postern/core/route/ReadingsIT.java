package dev.postern.core.route;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.core.testing.CoreGateway;
import dev.postern.core.testing.CoreGateway.Setup;
import dev.postern.core.testing.LeakExtension;
import dev.postern.core.testing.RawClient;
import dev.postern.core.testing.TestOrigin;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Tests that a client whose paths have too many readings is refused, and that keys of object stores pass beside it. */
@ExtendWith(LeakExtension.class)
class ReadingsIT {

    private static final int ROUNDS = 20;
    private static final List<String> HONEST = List.of(
            "/bucket/dir//file", "/bucket/%7euser/a;v=1/./b", "/render/https://x/y", "/a//b/%2561;x/y", "/plain");
    private static final List<String> ATTACKS =
            List.of("/a//b/%2561;x/y%3Fz", "/" + "%3B%253Ba%25253Bb%2525253Bc;d/x%2525252F".repeat(20));

    private final TestOrigin origin = new TestOrigin();
    private final CoreGateway gateway = new CoreGateway(Setup.of(origin.address()));

    @AfterEach
    void close() {
        gateway.close();
        origin.close();
    }

    @Test
    void honestPathsPassBesideAnAttacker() {
        try (RawClient attacker = new RawClient(gateway.port());
                RawClient honest = new RawClient(gateway.port())) {
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

    private void assertArrived() {
        assertThat(origin.received())
                .hasSize(ROUNDS * HONEST.size())
                .extracting(request -> request.line().split(" ")[1])
                .hasSameElementsAs(HONEST);
    }
}
