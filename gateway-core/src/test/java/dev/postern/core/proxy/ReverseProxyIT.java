package dev.postern.core.proxy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.postern.core.http1.Http1Limits;
import dev.postern.core.testing.CoreGateway;
import dev.postern.core.testing.CoreGateway.Setup;
import dev.postern.core.testing.LeakExtension;
import dev.postern.core.testing.RawClient;
import dev.postern.core.testing.RawClient.Response;
import dev.postern.core.testing.ServerProcess;
import dev.postern.core.testing.TestOrigin;
import dev.postern.core.testing.TestOrigin.Behaviour;
import dev.postern.core.upstream.endpoint.UpstreamSettings;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@ExtendWith(LeakExtension.class)
class ReverseProxyIT {

    private static final String GET = "GET /page?x=1 HTTP/1.1\r\nHost: site.example\r\n";

    private final TestOrigin origin = new TestOrigin();
    private CoreGateway gateway = new CoreGateway(Setup.of(origin.address()));

    @AfterEach
    void close() {
        gateway.close();
        origin.close();
    }

    private void restart(Setup setup) {
        gateway.close();
        gateway = new CoreGateway(setup);
    }

    private RawClient client() {
        return new RawClient(gateway.port());
    }

    @Test
    void relaysAResponseAndKeepsBothConnections() {
        try (RawClient client = client()) {
            for (int i = 0; i < 3; i++) {
                Response response = client.get("/page?x=1");
                assertThat(response.status()).isEqualTo(200);
                assertThat(response.body()).isEqualTo("hello");
            }
        }
        assertThat(origin.connections()).isEqualTo(1);
        assertThat(origin.received()).extracting(TestOrigin.Received::line).containsOnly("GET /page?x=1 HTTP/1.1");
        assertThat(gateway.upstream().reuseRatio()).isGreaterThan(0.6);
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
    void relaysALargeBodyBothWaysToASlowReader() {
        String large = "x".repeat(3_000_000);
        origin.behave((request, socket) -> Behaviour.ok(
                        new String(request.body(), java.nio.charset.StandardCharsets.ISO_8859_1))
                .response(request, socket));
        try (RawClient client = client()) {
            Response response = client.send(
                            "PUT /l HTTP/1.1\r\nHost: h\r\nContent-Length: " + large.length() + "\r\n\r\n" + large)
                    .read();
            assertThat(response.body()).hasSize(large.length());
            assertThat(client.get("/after").status()).isEqualTo(200);
        }
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
        restart(Setup.of(origin.address()).expect(UpstreamSettings.Expect.ANSWER));
        try (RawClient client = client()) {
            client.send("POST /a HTTP/1.1\r\nHost: h\r\nContent-Length: 3\r\nExpect: 100-continue\r\n\r\n");
            assertThat(client.read().status()).isEqualTo(100);
            assertThat(client.send("abc").read().status()).isEqualTo(200);
        }
        assertThat(origin.received().get(0).field("Expect")).isEmpty();
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

    @Test
    void namesTheFaultOfTheUpstream() {
        restart(Setup.of("127.0.0.1:" + ServerProcess.freePort()));
        try (RawClient client = client()) {
            Response refused = client.get("/");
            assertThat(refused.status()).isEqualTo(502);
            assertThat(refused.body()).contains("\"code\":\"upstream-refused\"", "\"blame\":\"upstream\"");
        }
        restart(Setup.of(origin.address()).firstByte(Duration.ofMillis(100)));
        origin.behave((request, socket) -> {});
        try (RawClient client = client()) {
            Response stalled = client.get("/");
            assertThat(stalled.status()).isEqualTo(504);
            assertThat(stalled.body()).contains("upstream-stalled");
        }
        restart(Setup.of(origin.address()));
        try (RawClient client = client()) {
            origin.behave(Behaviour.raw("HTTP/1.1 200 OK\r\nContent-Length: 1, 2\r\n\r\n"));
            assertThat(client.get("/").body()).contains("upstream-malformed");
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
        await().until(() -> gateway.ended().size() == 1);
        assertThat(gateway.ended().get(0).outcome().cut()).isTrue();
    }

    @Test
    void ejectsAnEndpointThatRefuses() {
        restart(Setup.of("127.0.0.1:" + ServerProcess.freePort(), origin.address()));
        try (RawClient client = client()) {
            for (int i = 0; i < 20; i++) {
                assertThat(client.get("/").status()).isEqualTo(200);
            }
        }
    }

    @Test
    void limitsConnectionsAndTheirQueue() {
        restart(Setup.of(origin.address())
                .connect(Duration.ofSeconds(1))
                .pool(new UpstreamSettings.Pool(true, 1, 1, Duration.ofSeconds(5), true, Duration.ZERO, 0, 100)));
        origin.behave((request, socket) -> {});
        try (RawClient one = client();
                RawClient two = client();
                RawClient three = client()) {
            one.send(GET + "\r\n");
            await().until(() -> origin.received().size() == 1);
            two.send(GET + "\r\n");
            three.send(GET + "\r\n");
            Response busy = three.read();
            assertThat(busy.status()).isEqualTo(503);
            assertThat(busy.body()).contains("upstream-busy");
            assertThat(busy.field("Retry-After")).isNotEmpty();
            assertThat(two.read().body()).contains("upstream-busy");
        }
        assertThat(origin.connections()).isEqualTo(1);
    }

    @Test
    void leasesConnectionsAcrossEventLoops() {
        restart(Setup.of(origin.address())
                .loops(2)
                .pool(new UpstreamSettings.Pool(true, 1, 16, Duration.ofSeconds(5), true, Duration.ZERO, 0, 100)));
        for (int i = 0; i < 8; i++) {
            try (RawClient client = client()) {
                assertThat(client.get("/").status()).isEqualTo(200);
            }
        }
    }

    @Test
    void refusesABodyBeyondTheRoutesLimit() {
        restart(Setup.of(origin.address())
                .route(r -> new dev.postern.core.route.Route(
                        r.name(),
                        r.host(),
                        r.path(),
                        r.upstream(),
                        r.token(),
                        null,
                        r.preflight(),
                        Duration.ZERO,
                        10)));
        try (RawClient client = client()) {
            assertThat(client.send("POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 11\r\n\r\n01234567890")
                            .read()
                            .status())
                    .isEqualTo(413);
            // discarded, so that the connection remains usable
            assertThat(client.get("/").status()).isEqualTo(200);
        }
    }

    @Test
    void refusesSlowHeadsAndClosesIdleConnections() {
        restart(Setup.of(origin.address())
                .limits(new Http1Limits(
                        16384, 65536, Duration.ofMillis(150), Duration.ofMillis(150), Duration.ofMillis(300), 8)));
        CountDownLatch sent = new CountDownLatch(1);
        gateway.pauseUntil(sent); // the connections are idle as soon as they are accepted
        try (RawClient slow = client();
                RawClient idle = client();
                RawClient body = client()) {
            slow.send("GET / HT");
            body.send("POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 10\r\n\r\n123");
            sent.countDown();
            assertThat(slow.read().status()).isEqualTo(408);
            assertThat(slow.closedByPeer()).isTrue();
            assertThat(body.read().status()).isEqualTo(408);
            assertThat(idle.closedByPeer()).isTrue();
        }
    }

    @Test
    void finishesOpenExchangesOnShutdown() throws InterruptedException {
        origin.behave((request, socket) -> {
            await().until(() -> gateway.server().draining());
            Behaviour.ok("late").response(request, socket);
        });
        try (RawClient busy = client();
                RawClient idle = client()) {
            busy.send(GET + "\r\n");
            await().until(() -> origin.received().size() == 1);
            int cut = gateway.server().drain(Duration.ofSeconds(8));
            assertThat(cut).isZero();
            Response response = busy.read();
            assertThat(response.body()).isEqualTo("late");
            assertThat(response.field("Connection")).isEqualTo("close");
            assertThat(idle.closedByPeer()).isTrue();
        }
    }

    @Test
    void releasesTheUpstreamWhenTheClientDisconnects() {
        origin.behave((request, socket) -> Behaviour.raw("HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\nsome")
                .response(request, socket));
        RawClient client = client();
        client.send(GET + "\r\n");
        client.readBytes(10);
        client.reset();
        await().until(() -> gateway.ended().size() == 1);
        assertThat(gateway.ended().get(0).outcome().cut()).isTrue();
    }

    @Test
    void evictsAnIdleConnectionThatItsUpstreamClosed() {
        try (RawClient client = client()) {
            client.get("/");
            assertThat(gateway.upstream().idle()).isEqualTo(1);
            origin.closeConnections();
            await().until(() -> gateway.upstream().idle() == 0);
            assertThat(client.send("POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 1\r\n\r\nx")
                            .read()
                            .status())
                    .isEqualTo(200);
        }
    }

    @Test
    void readsAgainFromAConnectionThatWasPausedAndPooled() {
        String large = "y".repeat(2_000_000);
        origin.behave(Behaviour.ok(large));
        try (RawClient client = client()) {
            for (int i = 0; i < 10; i++) {
                client.send(GET + "\r\n");
            }
            for (int i = 0; i < 10; i++) {
                assertThat(client.read().body()).hasSize(large.length());
            }
        }
    }
}
