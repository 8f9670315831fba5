package dev.postern.core.http2;

import static dev.postern.core.testing.FrameClient.DATA;
import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.core.testing.FrameClient;
import dev.postern.core.testing.FrameClient.Response;
import dev.postern.core.testing.LeakExtension;
import dev.postern.core.testing.MemoryGateway;
import dev.postern.core.testing.RawOrigin.Line;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Tests responses to streams: their flow control, and how each of them ends. */
@ExtendWith(LeakExtension.class)
class StreamResponsesTest {

    private final MemoryGateway gateway = new MemoryGateway();

    @AfterEach
    void close() {
        gateway.close();
    }

    private void assertCut() {
        assertThat(gateway.ended()).hasSize(1);
        assertThat(gateway.ended().get(0).outcome().cut()).isTrue();
    }

    @Test
    void respondsToManyStreamsInTheOrderOfTheUpstreams() {
        try (FrameClient client = gateway.client2()) {
            client.get(1, "/slow").get(3, "/fast");
            Line slow = gateway.acceptRequest();
            Line fast = gateway.acceptRequest();
            fast.ok("fast");
            assertThat(client.response(3).body()).isEqualTo("fast");
            assertThat(client.soFar(1).status()).isEmpty();
            slow.ok("slow");
            assertThat(client.response(1).body()).isEqualTo("slow");
        }
        assertThat(gateway.ended()).hasSize(2);
    }

    @Test
    void buffersLittleOfAnUnreadResponse() {
        int max = 1024 * 1024;
        try (FrameClient client = gateway.client2(4, 0)) {
            client.get(1, "/big");
            gateway.acceptRequest().ok("x".repeat(max));
            assertThat(client.outcome(0)).isEqualTo("ALIVE");
            assertThat(max - gateway.unread()).as("bytes that the gateway read").isLessThanOrEqualTo(128 * 1024);
            client.window(1, max).window(0, max);
            assertThat(client.response(1).length()).isEqualTo(max);
        }
    }

    @Test
    void resetsTheStreamOfATruncatedResponse() {
        try (FrameClient client = gateway.client2()) {
            client.get(1, "/");
            gateway.acceptRequest()
                    .send("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf")
                    .close();
            Response response = client.response(1);
            assertThat(response.reset()).isEqualTo("INTERNAL_ERROR");
            assertThat(response.ended()).isFalse();
            assertThat(client.outcome(0)).isEqualTo("ALIVE");
        }
        assertCut();
    }

    @Test
    void releasesTheUpstreamWhenTheClientResets() {
        try (FrameClient client = gateway.client2()) {
            client.get(1, "/");
            Line line = gateway.acceptRequest();
            client.reset(1);
            assertThat(line.closedByPeer()).isTrue();
            assertThat(client.outcome(0)).isEqualTo("ALIVE");
        }
        assertCut();
    }

    @Test
    void releasesEverythingWhenTheClientDisconnects() {
        Line one;
        Line other;
        try (FrameClient client = gateway.client2()) {
            client.get(1, "/").get(3, "/");
            one = gateway.acceptRequest();
            other = gateway.acceptRequest();
        }
        assertThat(one.closedByPeer()).isTrue();
        assertThat(other.closedByPeer()).isTrue();
        assertThat(gateway.ended()).hasSize(2);
    }

    @Test
    void releasesEverythingWhenTheClientEndsItsOutput() {
        try (FrameClient client = gateway.client2()) {
            client.get(1, "/");
            Line line = gateway.acceptRequest();
            client.finish();
            assertThat(line.closedByPeer()).isTrue();
            assertThat(client.closedByPeer()).isTrue();
        }
    }

    @Test
    void resetsTheStreamWhenAResponseWithoutLengthIsReset() {
        try (FrameClient client = gateway.client2()) {
            client.get(1, "/");
            Line line = gateway.acceptRequest().send("HTTP/1.1 200 OK\r\n\r\nhalf");
            client.await(DATA);
            line.reset();
            assertThat(client.response(1).reset()).isEqualTo("INTERNAL_ERROR");
        }
    }
}
