package dev.postern.core.http2;

import static dev.postern.core.testing.FrameClient.HEADERS;
import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.core.testing.FrameClient;
import dev.postern.core.testing.LeakExtension;
import dev.postern.core.testing.MemoryGateway;
import dev.postern.core.testing.MemoryOrigin;
import dev.postern.core.testing.TestOrigin;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Tests requests of streams: what their upstream receives; {@link Http2RequestBodyTest} has the flow control of bodies. */
@ExtendWith(LeakExtension.class)
class StreamRequestsTest {

    private final MemoryGateway gateway = new MemoryGateway();
    private final MemoryOrigin origin = gateway.origin();

    @AfterEach
    void close() {
        gateway.close();
    }

    private FrameClient client(int... settings) {
        return gateway.client2(settings);
    }

    @Test
    void forwardsARequestInTheUpstreamsProtocol() {
        try (FrameClient client = client()) {
            client.get(
                    1, "/a/./b?q=1", "cookie", "a=1", "x-a", "b", "cookie", "b=2", "cookie", "c=3", "te", "trailers");
            assertThat(client.response(1).status()).isEqualTo("200");
        }
        TestOrigin.Received received = origin.received().get(0);
        assertThat(received.line()).isEqualTo("GET /a/./b?q=1 HTTP/1.1");
        assertThat(received.field("Cookie")).isEqualTo("a=1; b=2; c=3");
        assertThat(received.head().split("(?i)\r\ncookie:", -1)).hasSize(2);
        assertThat(received.field("Host")).isEqualTo("site.example");
        assertThat(received.field("X-A")).isEqualTo("b");
        assertThat(received.field("TE")).isEqualTo("trailers");
        assertThat(received.field("Connection")).isEqualTo("te");
        assertThat(received.field("Via")).isEqualTo("2.0 postern");
        assertThat(received.field("X-Forwarded-Proto")).isEqualTo("http");
    }

    @Test
    void forwardsBodiesOfKnownAndUnknownLength() {
        try (FrameClient client = client()) {
            client.post(1, "/").data(1, false, "hello ").data(1, false, "").data(1, true, "world");
            assertThat(client.response(1).status()).isEqualTo("200");
            client.post(3, "/", "content-length", "5").data(3, true, "whole");
            assertThat(client.response(3).status()).isEqualTo("200");
        }
        assertThat(new String(origin.received().get(0).body(), ISO_8859_1)).isEqualTo("hello world");
        assertThat(origin.received().get(0).field("Transfer-Encoding")).isEqualTo("chunked");
        assertThat(new String(origin.received().get(1).body(), ISO_8859_1)).isEqualTo("whole");
        assertThat(origin.received().get(1).field("Content-Length")).isEqualTo("5");
    }

    @Test
    void sendsContinueWhenTheUpstreamDoesNotDecide() {
        try (FrameClient client = client()) {
            client.post(1, "/", "expect", "100-continue", "content-length", "5");
            gateway.pass(Duration.ofSeconds(2));
            client.await(HEADERS);
            assertThat(client.soFar(1).interim()).isEqualTo("100");
            client.data(1, true, "hello");
            assertThat(client.response(1).status()).isEqualTo("200");
        }
        assertThat(origin.received().get(0).field("Expect")).isEqualTo("100-continue");
    }

    @Test
    void servesForwardListeners() {
        try (FrameClient client = gateway.forwardClient2()) {
            client.headers(
                    1, true, ":method", "GET", ":scheme", "http", ":path", "/out", ":authority", "127.0.0.1:8080");
            assertThat(client.response(1).status()).isEqualTo("200");
            client.headers(
                    3, true, ":method", "GET", ":scheme", "https", ":path", "/out", ":authority", "127.0.0.1:8080");
            assertThat(client.response(3).status()).isEqualTo("403");
        }
        assertThat(origin.received().get(0).field("X-Forwarded-For")).isEmpty();
    }
}
