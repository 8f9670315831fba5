package dev.postern.core.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.core.testing.LeakExtension;
import dev.postern.core.testing.MemoryGateway;
import dev.postern.core.testing.MemoryOrigin;
import dev.postern.core.testing.RawClient;
import dev.postern.core.testing.RawClient.Response;
import dev.postern.core.testing.TestOrigin;
import dev.postern.core.testing.TestOrigin.Behaviour;
import dev.postern.core.upstream.endpoint.UpstreamSettings;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@ExtendWith(LeakExtension.class)
class RelayedExchangesTest {

    private static final String GET = "GET /page?x=1 HTTP/1.1\r\nHost: site.example\r\n";

    private final MemoryGateway gateway = new MemoryGateway();
    private final MemoryOrigin origin = gateway.origin();

    @AfterEach
    void close() {
        gateway.close();
    }

    private RawClient client() {
        return gateway.client();
    }

    @Test
    void addsForwardedFieldsAndRemovesHopByHopFields() {
        try (RawClient client = client()) {
            client.send(GET
                            + "Connection: keep-alive, X-Secret\r\nX-Secret: 1\r\nTE: trailers\r\nX-Forwarded-For: 9.9.9.9\r\n"
                            + "Forwarded: for=9.9.9.9\r\nUpgrade: h2c\r\nKeep-Alive: 5\r\n\r\n")
                    .read();
        }
        TestOrigin.Received request = origin.received().get(0);
        assertThat(request.head().toLowerCase(java.util.Locale.ROOT))
                .contains("\r\nconnection: te\r\nte: trailers\r\n") // the gateway's own
                .doesNotContain("x-secret", "upgrade", "keep-alive", "9.9.9.9", "\r\nforwarded:");
        assertThat(request.field("X-Forwarded-For")).isEqualTo("127.0.0.1");
        assertThat(request.field("X-Forwarded-Proto")).isEqualTo("http");
        assertThat(request.field("X-Forwarded-Host")).isEqualTo("site.example");
        assertThat(request.field("Via")).isEqualTo("1.1 postern");
        assertThat(request.field("Host")).isEqualTo("site.example");
    }

    @Test
    void relaysABodyOfEitherFraming() {
        try (RawClient client = client()) {
            client.send("POST /a HTTP/1.1\r\nHost: h\r\nContent-Length: 5\r\n\r\n12345")
                    .read();
            client.send(
                            "POST /b HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n2;x=y\r\nde\r\n0\r\nT: v\r\n\r\n")
                    .read();
            client.get("/c");
        }
        assertThat(origin.received().get(0).body()).asString().isEqualTo("12345");
        assertThat(origin.received().get(1).body()).asString().isEqualTo("abcde");
        assertThat(origin.received().get(2).line()).isEqualTo("GET /c HTTP/1.1");
    }

    @Test
    void framesAResponseWithoutLengthAsChunks() {
        origin.behave((request, socket) -> {
            Behaviour.raw("HTTP/1.1 200 OK\r\n\r\nuntil the end").response(request, socket);
            socket.close();
        });
        try (RawClient client = client()) {
            Response response = client.get("/");
            assertThat(response.field("Transfer-Encoding")).isEqualTo("chunked");
            assertThat(response.body()).isEqualTo("until the end");
            assertThat(client.get("/again").body()).isEqualTo("until the end");
        }
    }

    @Test
    void respondsToPipelinedRequestsInOrder() {
        origin.behave((request, socket) -> {
            String path = request.line().split(" ")[1];
            Behaviour.ok(path).response(request, socket);
        });
        try (RawClient client = client()) {
            client.send(
                    "GET /1 HTTP/1.1\r\nHost: h\r\n\r\nGET /2 HTTP/1.1\r\nHost: h\r\n\r\nPOST /3 HTTP/1.1\r\nHost: h\r\n"
                            + "Content-Length: 2\r\n\r\nhiGET /4 HTTP/1.1\r\nHost: h\r\n\r\n");
            assertThat(client.read().body()).isEqualTo("/1");
            assertThat(client.read().body()).isEqualTo("/2");
            assertThat(client.read().body()).isEqualTo("/3");
            assertThat(client.read().body()).isEqualTo("/4");
        }
    }

    @Test
    void sendsContinueOnlyWhenTheBodyIsForwarded() {
        try (MemoryGateway answering = new MemoryGateway(MemoryGateway.setup().expect(UpstreamSettings.Expect.ANSWER));
                RawClient client = answering.client()) {
            MemoryOrigin origin = answering.origin();
            client.send("POST /a HTTP/1.1\r\nHost: h\r\nContent-Length: 3\r\nExpect: 100-continue\r\n\r\n");
            assertThat(client.read().status()).isEqualTo(100);
            assertThat(client.send("abc").read().status()).isEqualTo(200);
            assertThat(origin.received().get(0).field("Expect")).isEmpty();
        }
    }

    @Test
    void respondsToHeadWithoutABody() {
        origin.behave(Behaviour.raw("HTTP/1.1 200 OK\r\nContent-Length: 500\r\n\r\n"));
        try (RawClient client = client()) {
            Response head = client.send("HEAD / HTTP/1.1\r\nHost: h\r\n\r\n").readHead();
            assertThat(head.field("Content-Length")).isEqualTo("500");
            origin.behave(Behaviour.ok("x"));
            assertThat(client.get("/").body()).isEqualTo("x");
        }
    }

    @Test
    void retriesASafeRequestWhoseReusedConnectionDied() {
        try (RawClient client = client()) {
            client.get("/first");
            origin.behave((request, socket) -> {
                if (request.connection() == 1) {
                    socket.close();
                } else {
                    Behaviour.ok("second try").response(request, socket);
                }
            });
            assertThat(client.get("/stale").body()).isEqualTo("second try");
        }
    }

    @Test
    void truncatesAResponseThatItsUpstreamTruncated() {
        origin.behave((request, socket) -> {
            Behaviour.raw("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf").response(request, socket);
            socket.close();
        });
        try (RawClient client = client()) {
            client.send(GET + "\r\n");
            assertThat(client.readBytes(4096)).startsWith("HTTP/1.1 200").endsWith("half");
            assertThat(client.closedByPeer()).isTrue();
        }
        assertThat(gateway.ended()).hasSize(1);
        assertThat(gateway.ended().get(0).outcome().cut()).isTrue();
    }

    @Test
    void evictsAnIdleConnectionThatItsUpstreamClosed() {
        try (RawClient client = client()) {
            client.get("/");
            assertThat(gateway.upstream().idle()).isEqualTo(1);
            origin.closeConnections();
            assertThat(gateway.upstream().idle()).isEqualTo(0);
            assertThat(client.send("POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 1\r\n\r\nx")
                            .read()
                            .status())
                    .isEqualTo(200);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"Content-Length: 1\r\n\r\nx", "Content-Length: 0\r\n\r\n"})
    void neverSendsAnUnsafeRequestTwice(String rest) {
        try (RawClient client = client()) {
            client.get("/first");
            origin.behave((request, socket) -> socket.close());
            Response response =
                    client.send("POST /once HTTP/1.1\r\nHost: h\r\n" + rest).read();
            assertThat(response.status()).isEqualTo(502);
            assertThat(response.body()).contains("upstream-closed");
        }
        assertThat(origin.received())
                .filteredOn(r -> r.line().startsWith("POST"))
                .hasSizeLessThanOrEqualTo(1);
    }
}
