package dev.postern.core.http1;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.postern.core.testing.GatewayBeforeOrigins;
import dev.postern.core.testing.RawClient;
import dev.postern.core.testing.RawOrigin.Line;
import dev.postern.core.testing.RawOrigin.Pouring;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/**
 * Tests clients that stop, disconnect, pipeline or send slowly: the upstream never takes a partial request for a complete one, and the
 * gateway keeps nothing for them.
 */
class MisbehavingClientsIT extends GatewayBeforeOrigins {

    @Test
    void abortsUpstreamWhenTheClientResets() {
        RawClient client = client();
        client.send("POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 10\r\n\r\nhalf");
        Line line = acceptRequest();
        assertThat(line.read(4)).isEqualTo("half");
        client.reset();
        assertThat(line.closedByPeer()).isTrue();
        await().until(() -> gateway().ended().size() == 1);
    }

    @Test
    void waitsForASlowReaderWithoutBufferingTheResponse() {
        int size = 96_000_000;
        try (RawClient slow = client()) {
            slow.send(GET);
            Pouring response = acceptRequest().pour(size);
            await().pollInterval(Duration.ofMillis(300)).until(response::stopped);
            assertThat(response.taken()).isLessThan(size / 2); // the capacity of the sockets between, and a little more
            assertThat(slow.read().body()).hasSize(size);
        }
    }

    @Test
    void servesOthersWhileManyConnectAndDisconnect() {
        for (int i = 0; i < 200; i++) {
            RawClient fleeting = client();
            fleeting.send(i % 2 == 0 ? "GET / HTT" : "");
            fleeting.reset();
        }
        try (RawClient client = client()) {
            client.send(GET);
            acceptRequest().ok("still here");
            assertThat(client.read().body()).isEqualTo("still here");
        }
        await().until(() -> gateway().server().connections() == 0);
    }
}
