package dev.postern.core.http1;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.postern.core.http.Refusal;
import dev.postern.core.testing.CoreGateway.Setup;
import dev.postern.core.testing.GatewayBeforeOrigins;
import dev.postern.core.testing.RawClient;
import dev.postern.core.testing.RawClient.Response;
import dev.postern.core.testing.RawOrigin.Line;
import dev.postern.core.testing.RawOrigin.Pouring;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests clients that stop, disconnect, pipeline or send slowly: the upstream never takes a partial request for a complete one, and the
 * gateway keeps nothing for them.
 */
class MisbehavingClientsIT extends GatewayBeforeOrigins {

    private void restart(Http1Limits limits) {
        restart(Setup.of(origin.address()).limits(limits));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Content-Length: 10\r\n\r\nhalf",
                "Transfer-Encoding: chunked\r\n\r\n4\r\nhalf\r\n",
                "Transfer-Encoding: chunked\r\n\r\n9\r\nhalf",
                "Transfer-Encoding: chunked\r\n\r\n4\r\nhalf\r\n0\r\n",
            })
    void abortsUpstreamWhenTheClientAborts(String begun) {
        try (RawClient client = client()) {
            client.send("POST / HTTP/1.1\r\nHost: h\r\n" + begun);
            Line line = acceptRequest();
            client.finish();
            assertThat(line.rest()).contains("half").doesNotContain("0\r\n\r\n");
        }
        await().until(() -> gateway().ended().size() == 1);
    }

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
    void abortsUpstreamAMalformedBody() {
        try (RawClient client = client()) {
            client.send("POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nhalf\r\n");
            Line line = acceptRequest();
            assertThat(line.read(9)).isEqualTo("4\r\nhalf\r\n");
            client.send("nonsense\r\n");
            assertThat(client.read().status()).isEqualTo(400);
            assertThat(client.closedByPeer()).isTrue();
            assertThat(line.closedByPeer()).isTrue();
        }
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
    void discardsTheSmallBodyOfARefusedRequest() {
        try (RawClient client = client()) {
            String body = "x".repeat(1000);
            client.send("TRACE / HTTP/1.1\r\nHost: h\r\nContent-Length: 1000\r\n\r\n");
            assertThat(client.read().status()).isEqualTo(405);
            client.send(body + GET);
            acceptRequest().ok("next");
            assertThat(client.read().body()).isEqualTo("next");
        }
    }

    @Test
    void closesAfterTheRefusalOfALargeBody() {
        try (RawClient client = client()) {
            client.send("TRACE / HTTP/1.1\r\nHost: h\r\nContent-Length: 1000000\r\n\r\nsome");
            Response refused = client.read();
            assertThat(refused.status()).isEqualTo(405);
            assertThat(refused.field("Connection")).isEqualTo("close");
            assertThat(client.closedByPeer()).isTrue();
        }
    }

    @Test
    void sendsNoContinueForABodyThatIsNotForwarded() {
        try (RawClient client = client()) {
            client.send("TRACE / HTTP/1.1\r\nHost: h\r\nContent-Length: 10\r\nExpect: 100-continue\r\n\r\n");
            Response refused = client.read();
            assertThat(refused.status()).isEqualTo(405);
            // Whether the client sends the body now is unknown, so the connection cannot be reused.
            assertThat(refused.field("Connection")).isEqualTo("close");
        }
    }

    @Test
    void sendsNoContinueForABodyThatHasArrived() {
        try (RawClient client = client()) {
            client.send("POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 4\r\nExpect: 100-continue\r\n\r\nbody");
            Line line = acceptRequest();
            assertThat(line.read(4)).isEqualTo("body");
            line.ok("done");
            assertThat(client.read().status()).isEqualTo(200);
        }
    }

    @Test
    void refusesAHeadThatArrivesTooSlowly() {
        restart(new Http1Limits(16384, 65536, Duration.ofMillis(200), Duration.ofSeconds(5), Duration.ofSeconds(5), 8));
        ScheduledExecutorService drip = Executors.newSingleThreadScheduledExecutor();
        try (RawClient client = client()) {
            client.send("GET / HTTP/1.1\r\nHost: h\r\n");
            drip.scheduleAtFixedRate(() -> client.send("X"), 10, 10, TimeUnit.MILLISECONDS);
            // One deadline for the whole head: single bytes do not extend it.
            assertThat(client.read().status()).isEqualTo(408);
        } finally {
            drip.shutdownNow();
        }
        await().until(() -> gateway().ended().size() == 1);
        assertThat(gateway().ended().get(0).outcome().refusal()).isEqualTo(Refusal.REQUEST_TIMEOUT);
    }

    @Test
    void refusesABodyThatStalls() {
        restart(new Http1Limits(16384, 65536, Duration.ofSeconds(5), Duration.ofMillis(200), Duration.ofSeconds(5), 8));
        try (RawClient client = client()) {
            client.send("POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 10\r\n\r\nhalf");
            Line line = acceptRequest();
            assertThat(line.read(4)).isEqualTo("half");
            assertThat(client.read().status()).isEqualTo(408);
            assertThat(line.closedByPeer()).isTrue();
        }
    }

    @Test
    void closesAnIdleConnectionWithoutAResponse() {
        restart(new Http1Limits(16384, 65536, Duration.ofSeconds(5), Duration.ofSeconds(5), Duration.ofMillis(200), 8));
        CountDownLatch sent = new CountDownLatch(1);
        gateway().pauseUntil(sent); // the connection is idle as soon as it is accepted
        try (RawClient client = client()) {
            client.send(GET);
            sent.countDown();
            acceptRequest().ok("ok");
            assertThat(client.read().body()).isEqualTo("ok");
            assertThat(client.closedByPeer()).isTrue();
        }
        assertThat(gateway().ended()).hasSize(1);
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
