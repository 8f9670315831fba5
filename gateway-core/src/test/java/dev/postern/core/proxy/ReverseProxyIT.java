package dev.postern.core.proxy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.postern.core.testing.CoreGateway;
import dev.postern.core.testing.CoreGateway.Setup;
import dev.postern.core.testing.LeakExtension;
import dev.postern.core.testing.RawClient;
import dev.postern.core.testing.RawClient.Response;
import dev.postern.core.testing.ServerProcess;
import dev.postern.core.testing.TestLimits;
import dev.postern.core.testing.TestOrigin;
import dev.postern.core.testing.TestOrigin.Behaviour;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

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
    void refusesSlowHeadsAndClosesIdleConnections() {
        restart(Setup.of(origin.address())
                .limits(TestLimits.with(Map.of(
                        "headTimeout", Duration.ofMillis(150),
                        "bodyIdleTimeout", Duration.ofMillis(150),
                        "keepAliveTimeout", Duration.ofMillis(300)))));
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
