package dev.postern.core.overload;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.core.testing.LeakExtension;
import dev.postern.core.testing.MemoryGateway;
import dev.postern.core.testing.MemoryOrigin;
import dev.postern.core.testing.RawClient;
import dev.postern.core.testing.RawClient.Response;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Tests what clients observe while the gateway sheds load. */
@ExtendWith(LeakExtension.class)
class LoadShedStateTest {

    private final MemoryGateway gateway = new MemoryGateway();
    private final MemoryOrigin origin = gateway.origin();

    @AfterEach
    void close() {
        gateway.close();
    }

    @Test
    void newExchangesAreRefusedAndConnectionsKept() {
        try (RawClient client = gateway.client()) {
            assertThat(client.get("/").status()).isEqualTo(200);
            gateway.shedding().reason("heap");
            Response refused = client.get("/");
            assertThat(refused.status()).isEqualTo(503);
            assertThat(refused.body()).contains("\"code\":\"overloaded\"").contains("\"blame\":\"gateway\"");
            gateway.shedding().reason("");
            assertThat(client.get("/").status()).isEqualTo(200);
        }
        assertThat(origin.received()).hasSize(2);
        assertThat(gateway.ended().get(1).outcome().reason()).isEqualTo("heap");
    }

    @Test
    void refusalsHaveDifferentRetryDelays() {
        gateway.shedding().reason("loop-lag");
        Set<Integer> seconds = new TreeSet<>();
        try (RawClient client = gateway.client()) {
            for (int i = 0; i < 100; i++) {
                seconds.add(Integer.parseInt(client.get("/").field("Retry-After")));
            }
        }
        assertThat(seconds).hasSizeGreaterThan(3).allMatch(s -> s >= 2 && s <= 9);
    }
}
