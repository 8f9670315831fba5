package dev.postern.core.http2;

import static dev.postern.core.testing.FrameClient.HEADERS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.core.testing.FrameClient;
import org.junit.jupiter.api.Test;

/** Tests requests of streams: what their upstream receives; {@link Http2RequestBodyTest} has the flow control of bodies. */
class StreamRequestsIT extends StreamFixture {

    @Test
    void sendsContinueWhenTheUpstreamDoesNotDecide() {
        try (FrameClient client = client()) {
            client.post(1, "/", "expect", "100-continue", "content-length", "5");
            client.await(HEADERS);
            assertThat(client.soFar(1).interim()).isEqualTo("100");
            client.data(1, true, "hello");
            assertThat(client.response(1).status()).isEqualTo("200");
        }
        assertThat(origin.received().get(0).field("Expect")).isEqualTo("100-continue");
    }

    @Test
    void servesForwardListeners() {
        try (FrameClient client = FrameClient.connect(gateway.forwardPort())) {
            client.headers(
                    1, true, ":method", "GET", ":scheme", "http", ":path", "/out", ":authority", origin.address());
            assertThat(client.response(1).status()).isEqualTo("200");
            client.headers(
                    3, true, ":method", "GET", ":scheme", "https", ":path", "/out", ":authority", origin.address());
            assertThat(client.response(3).status()).isEqualTo("403");
        }
        assertThat(origin.received().get(0).field("X-Forwarded-For")).isEmpty();
    }
}
