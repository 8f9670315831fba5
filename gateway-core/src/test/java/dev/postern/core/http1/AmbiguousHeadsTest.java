package dev.postern.core.http1;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.core.exchange.Exchange;
import dev.postern.core.exchange.Outcome;
import dev.postern.core.exchange.StageName;
import dev.postern.core.http.FieldName;
import dev.postern.core.http.Head;
import dev.postern.core.pipeline.ExchangeStage;
import dev.postern.core.testing.LeakExtension;
import dev.postern.core.testing.MemoryGateway;
import dev.postern.core.testing.MemoryOrigin;
import dev.postern.core.testing.RawClient;
import dev.postern.core.testing.RawClient.Response;
import dev.postern.core.testing.TestOrigin;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Verifies that a head that a stage made ambiguous is never sent, and that other clients are still served. */
@ExtendWith(LeakExtension.class)
class AmbiguousHeadsTest {

    private final MemoryGateway gateway =
            new MemoryGateway(MemoryGateway.setup().admit(new Faulty()));
    private final MemoryOrigin origin = gateway.origin();
    private final RawClient client = gateway.client();

    /** A stage that writes raw bytes into heads. */
    private static final class Faulty extends ExchangeStage {

        private Faulty() {
            super(StageName.ADMIT);
        }

        @Override
        protected void onExchange(Exchange exchange) {
            String request = exchange.request().value(FieldName.of("spoil-request"));
            if (request != null) {
                spoil(exchange.request(), request);
            }
            String response = exchange.request().value(FieldName.of("spoil-response"));
            if (response != null) {
                exchange.whenUpstreamResponds(head -> spoil(head, response));
            }
            String target = exchange.request().value(FieldName.of("spoil-target"));
            if (target != null) {
                exchange.request().rewrite(bytes(target));
            }
            proceed(exchange);
        }

        private static void spoil(Head head, String line) {
            byte[] bytes = bytes(line).getBytes(ISO_8859_1);
            int offset = head.reserve(bytes.length);
            System.arraycopy(bytes, 0, head.bytes(), offset, bytes.length);
            int colon = bytes(line).indexOf(':');
            head.field(
                    offset,
                    offset + colon,
                    offset + colon + 1,
                    offset + bytes.length,
                    FieldName.hash(head.bytes(), offset, offset + colon));
        }

        private static String bytes(String text) {
            return text.replace("~", "\r\n").replace("{LF}", "\n").replace("{NUL}", "\0");
        }
    }

    @AfterEach
    void close() {
        client.close();
        gateway.close();
    }

    private void assertOthersAreServed() {
        Response next = client.get("/next");
        assertThat(next.status()).isEqualTo(200);
        assertThat(next.body()).isEqualTo("hello");
    }

    private Outcome outcome(int index) {
        assertThat(gateway.ended()).hasSizeGreaterThan(index);
        return gateway.ended().get(index).outcome();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "X:a~~GET /smuggled HTTP/1.1~Host:h",
                "X:a{LF}Y: b",
                "X:a{NUL}b",
                "X:a~ folded",
                "Host:other",
                "Content-Length:5",
                "X:a~Injected: b",
                "X Y:a",
            })
    void requestsAreNotSent(String line) {
        client.send("POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 2\r\nSpoil-Request: " + line + "\r\n\r\nab");
        Response response = client.read();
        assertThat(response.status()).isEqualTo(500);
        assertThat(response.body()).contains("\"code\":\"internal\"");
        assertThat(outcome(0).ambiguous()).isTrue();
        assertThat(outcome(0).reason()).isEqualTo("ambiguous");
        assertOthersAreServed();
        assertThat(origin.received()).as(line).hasSize(1);
        assertThat(outcome(1).ambiguous()).isFalse();
    }

    @Test
    void targetsAreNotSent() {
        client.send("GET / HTTP/1.1\r\nHost: h\r\nSpoil-Target: /a HTTP/1.1~X: y\r\n\r\n");
        assertThat(client.read().status()).isEqualTo(500);
        assertOthersAreServed();
        assertThat(origin.received()).hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "X:a~~<script>",
                "X:a{LF}Set-Cookie: b=c",
                "X:a~Set-Cookie: b=c",
                "Content-Length:5",
                "Transfer-Encoding:chunked",
                "X:a~ b"
            })
    void responsesAreNotSent(String line) {
        client.send("GET / HTTP/1.1\r\nHost: h\r\nSpoil-Response: " + line + "\r\n\r\n");
        Response response = client.read();
        assertThat(response.status()).isEqualTo(502);
        assertThat(response.body()).contains("\"code\":\"upstream-malformed\"");
        assertThat(outcome(0).ambiguous()).isTrue();
        assertOthersAreServed();
    }

    @Test
    void pipelinedResponsesKeepTheirOrder() {
        client.send("GET /1 HTTP/1.1\r\nHost: h\r\n\r\nGET /2 HTTP/1.1\r\nHost: h\r\nSpoil-Response: X:a{LF}b\r\n\r\n"
                + "GET /3 HTTP/1.1\r\nHost: h\r\nSpoil-Request: X:a{LF}b\r\n\r\nGET /4 HTTP/1.1\r\nHost: h\r\n\r\n");
        assertThat(client.read().status()).isEqualTo(200);
        assertThat(client.read().status()).isEqualTo(502);
        assertThat(client.read().status()).isEqualTo(500);
        assertThat(client.read().status()).isEqualTo(200);
        assertOthersAreServed();
    }

    @Test
    void largeResponsesThatFollowASpoiledHeadAreDropped() {
        origin.behave(TestOrigin.Behaviour.ok("x".repeat(3_000_000)));
        client.send("GET / HTTP/1.1\r\nHost: h\r\nSpoil-Response: X:a{NUL}\r\n\r\n");
        assertThat(client.read().status()).isEqualTo(502);
        origin.behave(TestOrigin.Behaviour.ok("hello"));
        assertOthersAreServed();
    }
}
