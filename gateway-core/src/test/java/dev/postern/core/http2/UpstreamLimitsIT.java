package dev.postern.core.http2;

import static dev.postern.core.testing.FrameClient.GOAWAY;
import static dev.postern.core.testing.FrameClient.HEADERS;
import static dev.postern.core.testing.FrameClient.PING;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.postern.core.testing.FrameClient;
import dev.postern.core.upstream.endpoint.UpstreamSettings;
import java.nio.ByteBuffer;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Tests limits on connections and streams to an upstream, the queue for them, and when they close. */
class UpstreamLimitsIT extends UpstreamStreamFixture {

    @Test
    void opensNoMoreStreamsThanTheServerPermits() {
        restart(setup().pool(pool(1, 100)));
        try (FrameClient client = client()) {
            client.get(1, "/1").get(3, "/3").get(5, "/5");
            FrameClient server = origin.accept(3, 2);
            server.await(HEADERS);
            server.await(HEADERS);
            assertThat(server.outcome(0)).isEqualTo("ALIVE");
            assertThat(server.soFar(5).field(":path")).as("the third").isEmpty();
            ok(server, 1, "first");
            server.await(HEADERS);
            assertThat(server.soFar(5).field(":path")).isEqualTo("/5");
            ok(server, 3, "second");
            ok(server, 5, "third");
            assertThat(client.response(5).body()).isEqualTo("third");
        }
    }

    @Test
    void opensAnotherConnectionWhenOneIsFull() {
        restart(setup().pool(pool(2, 1)));
        try (FrameClient client = client()) {
            client.get(1, "/1");
            FrameClient one = origin.accept();
            one.await(HEADERS);
            client.get(3, "/3");
            FrameClient two = origin.accept();
            two.await(HEADERS);
            ok(one, 1, "one");
            ok(two, 1, "two");
            assertThat(client.response(1).body()).isEqualTo("one");
            assertThat(client.response(3).body()).isEqualTo("two");
        }
        await().until(() -> gateway.upstream().idle() == 2);
    }

    @Test
    void refusesARequestThatWaitsTooLongForAStream() {
        restart(setup().connect(Duration.ofSeconds(1)).pool(pool(1, 1)));
        try (FrameClient client = client()) {
            client.get(1, "/1");
            FrameClient server = origin.accept();
            server.await(HEADERS);
            client.get(3, "/3");
            assertThat(client.response(3).body()).contains("upstream-busy");
            ok(server, 1, "one");
            assertThat(client.response(1).body()).isEqualTo("one");
        }
    }

    @Test
    void closesIdleConnections() {
        restart(setup().pool(new UpstreamSettings.Pool(
                true, 10, 10, Duration.ofMillis(100), false, Duration.ofMinutes(10), 0, 100)));
        try (FrameClient client = client()) {
            client.get(1, "/1");
            FrameClient server = origin.accept();
            server.await(HEADERS);
            ok(server, 1, "one");
            assertThat(client.response(1).body()).isEqualTo("one");
            assertThat(server.await(GOAWAY).error()).isEqualTo("NO_ERROR");
            assertThat(server.closedByPeer()).isTrue();
        }
        await().until(() -> gateway.gauge("postern.upstream.connections", "state", "open") == 0);
    }

    @Test
    void closesConnectionsAfterTheirLastRequest() {
        restart(setup().pool(new UpstreamSettings.Pool(
                true, 10, 10, Duration.ofSeconds(55), true, Duration.ofMinutes(10), 2, 100)));
        try (FrameClient client = client()) {
            client.get(1, "/1").get(3, "/3");
            FrameClient server = origin.accept();
            server.await(HEADERS);
            server.await(HEADERS);
            client.get(5, "/5");
            FrameClient next = origin.accept();
            next.await(HEADERS);
            ok(server, 1, "one");
            ok(server, 3, "three");
            ok(next, 1, "five");
            assertThat(client.response(1).body() + client.response(3).body()).isEqualTo("onethree");
            assertThat(client.response(5).body()).isEqualTo("five");
            assertThat(server.closedByPeer()).isTrue();
        }
    }

    /** Sends PINGs for what was received, as servers of gRPC do: three times the budget, and as many as HEADERS and DATA. */
    @Test
    void keepsAServerThatMeasuresTheConnection() {
        try (FrameClient client = client()) {
            client.post(1, "/1").data(1, true, "a");
            FrameClient server = origin.accept();
            for (int id = 1; id < 3_001; id += 2) {
                server.response(id);
                server.frame(PING, 0, 0, new byte[8]).frame(PING, 0, 0, new byte[8]);
                ok(server, id, "one");
                assertThat(client.response(id).body()).isEqualTo("one");
                client.post(id + 2, "/1").data(id + 2, true, "a");
            }
            assertThat(server.outcome(0)).isEqualTo("ALIVE");
        }
    }

    /** Sends PINGs in return for nothing: the budget is kept, then the connection ends, and the next request gets another one. */
    @Test
    void endsTheConnectionOfAServerThatFloodsPings() {
        try (FrameClient client = client()) {
            client.get(1, "/1");
            FrameClient server = origin.accept();
            server.await(HEADERS);
            server.bytes(pings(900));
            assertThat(server.outcome(0)).isEqualTo("ALIVE");
            server.bytes(pings(5_000));
            assertThat(client.response(1).body()).contains("upstream-malformed");
            assertThat(server.closedByPeer()).isTrue();
            client.get(3, "/3");
            FrameClient next = origin.accept();
            next.await(HEADERS);
            ok(next, 1, "next");
            assertThat(client.response(3).body()).isEqualTo("next");
        }
    }

    /** The other server is busy meanwhile, and measures the connection with PINGs as many as its DATA. */
    @Test
    void keepsAServerBesideOneThatFloodsPings() {
        restart(setup().pool(pool(2, 1)));
        try (FrameClient client = client();
                FrameClient other = client()) {
            client.get(1, "/1");
            FrameClient flooding = origin.accept();
            flooding.await(HEADERS);
            other.get(1, "/1");
            FrameClient honest = origin.accept();
            honest.await(HEADERS);
            honest.headers(1, false, OK);
            for (int i = 0; i < 20; i++) {
                flooding.bytes(pings(300));
                honest.data(1, false, "x".repeat(100)).frame(PING, 0, 0, new byte[8]);
            }
            assertThat(client.response(1).body()).contains("upstream-malformed");
            assertThat(flooding.closedByPeer()).isTrue();
            honest.data(1, true, "end");
            assertThat(other.response(1).body()).isEqualTo("x".repeat(2_000) + "end");
            other.get(3, "/3");
            honest.await(HEADERS);
            ok(honest, 3, "next");
            assertThat(other.response(3).body()).isEqualTo("next");
            assertThat(honest.outcome(0)).isEqualTo("ALIVE");
        }
    }

    private static byte[] pings(int count) {
        byte[] ping = FrameClient.raw(PING, 0, 0, new byte[8]);
        ByteBuffer all = ByteBuffer.allocate(count * ping.length);
        for (int i = 0; i < count; i++) {
            all.put(ping);
        }
        return all.array();
    }
}
