package dev.postern.core.http1;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.core.connection.ClientLimits.HalfClose;
import dev.postern.core.testing.LeakExtension;
import dev.postern.core.testing.MemoryGateway;
import dev.postern.core.testing.RawClient;
import dev.postern.core.testing.RawOrigin.Line;
import dev.postern.core.testing.TestLimits;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Tests clients that end their output by FIN: they have gone, unless {@link HalfClose#ALLOW} says that they still read (ADR 43). */
@ExtendWith(LeakExtension.class)
class HalfClosedClientsTest {

    private static final String GET = "GET / HTTP/1.1\r\nHost: h\r\n\r\n";

    private final MemoryGateway gateway = new MemoryGateway();

    @AfterEach
    void close() {
        gateway.close();
    }

    private void assertAllEnded(int exchanges) {
        assertThat(gateway.ended()).hasSize(exchanges);
    }

    @Test
    void cancelsAllPipelinedRequests() {
        try (RawClient client = gateway.client()) {
            client.send(GET + GET);
            Line first = gateway.acceptRequest();
            Line second = gateway.acceptRequest();
            client.finish();
            assertThat(first.closedByPeer()).isTrue();
            assertThat(second.closedByPeer()).isTrue();
            assertAllEnded(2);
        }
    }

    @Test
    void aResponseThatNeedsNoWaitingIsSent() {
        try (RawClient client = gateway.client()) {
            client.send("TRACE / HTTP/1.1\r\nHost: h\r\n\r\n").finish();
            assertThat(client.read().status()).isEqualTo(405);
            assertThat(client.closedByPeer()).isTrue();
        }
    }

    @Test
    void whereAllowedCompleteRequestsGetTheirResponses() {
        try (MemoryGateway allowing = new MemoryGateway(
                        MemoryGateway.setup().limits(TestLimits.with(Map.of("halfClose", HalfClose.ALLOW))));
                RawClient client = allowing.client()) {
            client.send(GET + GET).finish();
            List<Line> lines = List.of(allowing.acceptRequest(), allowing.acceptRequest());
            lines.get(0).ok("one");
            lines.get(1).ok("two");
            assertThat(List.of(client.read().body(), client.read().body())).containsExactlyInAnyOrder("one", "two");
            assertThat(client.closedByPeer()).isTrue();
        }
    }
}
