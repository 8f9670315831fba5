package dev.postern.core.http2;

import static dev.postern.core.testing.FrameClient.DATA;
import static dev.postern.core.testing.FrameClient.HEADERS;
import static dev.postern.core.testing.FrameClient.PING;
import static dev.postern.core.testing.FrameClient.RST_STREAM;
import static dev.postern.core.testing.FrameClient.WINDOW_UPDATE;
import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.core.http1.Http1Limits;
import dev.postern.core.testing.CoreGateway;
import dev.postern.core.testing.CoreGateway.Setup;
import dev.postern.core.testing.FieldBlock;
import dev.postern.core.testing.FrameClient;
import dev.postern.core.testing.FrameClient.Frame;
import dev.postern.core.testing.TestOrigin;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/** Tests requests of streams: what their upstream receives, and the flow control of bodies. */
class StreamRequestsIT extends StreamFixture {

    private static final Http1Limits BRIEF_BODY = new Http1Limits(
            16 * 1024, 64 * 1024, Duration.ofSeconds(10), Duration.ofMillis(300), Duration.ofSeconds(60), 8);

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
    void addsALengthOfZeroForAnEmptyBody() {
        try (FrameClient client = client()) {
            client.headers(1, true, FrameClient.request("POST", "/"));
            assertThat(client.response(1).status()).isEqualTo("200");
        }
        assertThat(origin.received().get(0).field("Content-Length")).isEqualTo("0");
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
    void opensTheWindowForBytesThatTheUpstreamTook() {
        String piece = "x".repeat(16_384);
        try (FrameClient client = client()) {
            client.post(1, "/");
            int sent = 0;
            int window = 65_535;
            while (sent < 40) {
                while (window >= piece.length() && sent < 40) {
                    client.data(1, ++sent == 40, piece);
                    window -= piece.length();
                }
                for (Frame frame = client.next(); sent < 40 && frame != null; frame = client.next()) {
                    if (frame.type() == WINDOW_UPDATE && frame.stream() == 1) {
                        window += frame.number(0);
                        break;
                    }
                }
            }
            assertThat(client.response(1).status()).isEqualTo("200");
        }
        assertThat(origin.received().get(0).body()).hasSize(40 * 16_384);
    }

    @Test
    void keepsTheWindowClosedForAnUnreadBody() {
        CountDownLatch read = new CountDownLatch(1);
        gateway.close();
        gateway = new CoreGateway(Setup.of(origin.address()).admit(new GateStage(read)));
        String piece = "x".repeat(16_000);
        try (FrameClient client = client()) {
            client.post(1, "/");
            for (int i = 0; i < 4; i++) {
                client.data(1, false, piece);
            }
            client.frame(PING, 0, 0, new byte[8]);
            for (Frame frame = requireNonNull(client.next());
                    frame.type() != PING;
                    frame = requireNonNull(client.next())) {
                assertThat(frame.type() == WINDOW_UPDATE && frame.stream() == 1)
                        .as("window of the stream")
                        .isFalse();
            }
            read.countDown();
            assertThat(client.await(WINDOW_UPDATE).number(0)).isPositive();
            client.data(1, true, piece);
            assertThat(client.response(1).status()).isEqualTo("200");
        }
        assertThat(origin.received().get(0).body()).hasSize(5 * 16_000);
    }

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
    void discardsASmallUnwantedBody() {
        try (FrameClient client = client()) {
            client.headers(1, false, FrameClient.request("TRACE", "/"));
            assertThat(client.response(1).status()).isEqualTo("405");
            client.data(1, true, "unwanted");
            assertThat(client.outcome(0)).isEqualTo("ALIVE");
            assertThat(client.soFar(1).reset()).isEmpty();
        }
    }

    @Test
    void resetsWithoutErrorABodyThatContinuesTooLong() {
        try (FrameClient client = client()) {
            client.headers(1, false, FrameClient.request("TRACE", "/"));
            assertThat(client.response(1).status()).isEqualTo("405");
            String piece = "x".repeat(16_000);
            for (int i = 0; i < 5; i++) {
                client.data(1, false, piece);
            }
            assertThat(client.await(RST_STREAM).error()).isEqualTo("NO_ERROR");
            client.data(1, false, piece);
            assertThat(client.outcome(0)).as("bytes in flight").isEqualTo("ALIVE");
        }
    }

    @Test
    void refusesABodyBeforeContinue() {
        try (FrameClient client = client()) {
            client.headers(
                    1, false, FrameClient.request("TRACE", "/", "expect", "100-continue", "content-length", "5"));
            assertThat(client.response(1).status()).isEqualTo("405");
            assertThat(client.await(RST_STREAM).error()).isEqualTo("NO_ERROR");
        }
    }

    @Test
    void resetsARequestThatIsMalformedAfterItsResponse() {
        try (FrameClient client = client()) {
            byte[] head = FrameClient.raw(
                    HEADERS,
                    FrameClient.END_HEADERS,
                    1,
                    FieldBlock.of(FrameClient.request("TRACE", "/", "content-length", "1")));
            byte[] body = FrameClient.raw(DATA, FrameClient.END_STREAM, 1, new byte[4]);
            byte[] joined = new byte[head.length + body.length];
            System.arraycopy(head, 0, joined, 0, head.length);
            System.arraycopy(body, 0, joined, head.length, body.length);
            client.bytes(joined);
            assertThat(client.await(RST_STREAM).error()).isEqualTo("PROTOCOL_ERROR");
            assertThat(client.soFar(1).status()).isEqualTo("405");
        }
    }

    @Test
    void refusesABodyThatStalls() {
        restart(BRIEF_BODY);
        try (FrameClient client = client()) {
            client.post(1, "/", "content-length", "5").data(1, false, "he");
            assertThat(client.response(1).status()).isEqualTo("408");
        }
        assertThat(ended().reason()).isEqualTo("body");
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
