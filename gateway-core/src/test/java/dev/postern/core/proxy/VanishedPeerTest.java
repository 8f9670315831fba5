package dev.postern.core.proxy;

import static dev.postern.core.testing.FrameClient.HEADERS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.core.config.ByteSize;
import dev.postern.core.config.Rate;
import dev.postern.core.http2.guard.AbuseLimit;
import dev.postern.core.http2.guard.Http2Limits;
import dev.postern.core.testing.FrameClient;
import dev.postern.core.testing.LeakExtension;
import dev.postern.core.testing.MemoryGateway;
import dev.postern.core.testing.RawClient;
import dev.postern.core.testing.RawOrigin.Line;
import dev.postern.core.testing.TestOrigin.Behaviour;
import dev.postern.core.testing.TestPool;
import dev.postern.core.upstream.endpoint.UpstreamSettings;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Tests how long the gateway takes to notice a peer that vanished without an end of its connection: rows of the table in docs/failures.md. */
@ExtendWith(LeakExtension.class)
class VanishedPeerTest {

    private static final String GET = "GET / HTTP/1.1\r\nHost: h\r\n\r\n";
    private static final Duration LONG = Duration.ofSeconds(60);
    private static final Duration PING_PATIENCE = Duration.ofSeconds(4);
    private static final Duration SILENCE = Duration.ofMillis(5_100);
    private static final Duration BRIEF = Duration.ofMillis(300);

    private static void ok(FrameClient server, int stream) {
        server.await(HEADERS);
        server.headers(stream, false, ":status", "200").data(stream, true, "hello");
    }

    /** No stream is open: the connection is closed, and the next request is sent again. */
    @Test
    void aPingFindsAnIdleHttp2ConnectionThatVanished() {
        try (MemoryGateway gateway = new MemoryGateway(MemoryGateway.setup()
                        .toHttp2(null)
                        .connect(PING_PATIENCE)
                        .firstByte(LONG));
                FrameClient client = gateway.client2()) {
            client.get(1, "/first");
            FrameClient vanished = gateway.accept2();
            ok(vanished, 1);
            assertThat(client.response(1).status()).isEqualTo("200");
            gateway.pass(SILENCE);
            client.get(3, "/3");
            gateway.pass(PING_PATIENCE.minusNanos(1));
            assertThat(gateway.connects()).isFalse();

            gateway.pass(Duration.ofNanos(1));
            ok(gateway.accept2(), 1);
            assertThat(client.response(3).status()).isEqualTo("200");
            assertThat(vanished.closedByPeer()).isTrue();
        }
    }

    /** The first response in time is not awaited again on the same connection: requests after a time-out use another one. */
    @Test
    void aTimeoutMakesAnotherHttp2ConnectionPreferred() {
        try (MemoryGateway gateway =
                        new MemoryGateway(MemoryGateway.setup().toHttp2(null).firstByte(BRIEF));
                FrameClient client = gateway.client2()) {
            client.get(1, "/first");
            ok(gateway.accept2(), 1);
            assertThat(client.response(1).status()).isEqualTo("200");
            client.get(3, "/3");
            gateway.pass(BRIEF);
            assertThat(client.response(3).status()).isEqualTo("504");
            client.get(5, "/5");
            ok(gateway.accept2(), 1);
            assertThat(client.response(5).status()).isEqualTo("200");
        }
    }

    @Test
    void theFirstByteTimeoutFindsAnHttp1UpstreamThatVanished() {
        try (MemoryGateway gateway = new MemoryGateway(MemoryGateway.setup().firstByte(BRIEF));
                RawClient client = gateway.client()) {
            Line vanished = kept(gateway, client);
            client.send(GET);
            gateway.pass(BRIEF.minusNanos(1));
            assertThat(gateway.ended()).hasSize(1);

            gateway.pass(Duration.ofNanos(1));
            assertThat(client.read().status()).isEqualTo(504);
            vanished.readHead();
            assertThat(vanished.closedByPeer()).isTrue();
            kept(gateway, client);
        }
    }

    @Test
    void thePoolClosesAnIdleHttp1ConnectionThatVanished() {
        UpstreamSettings.Pool brief = TestPool.with(Map.of("idle", BRIEF, "learnIdle", false));
        try (MemoryGateway gateway = new MemoryGateway(MemoryGateway.setup().pool(brief));
                RawClient client = gateway.client()) {
            Line vanished = kept(gateway, client);
            gateway.pass(Duration.ofSeconds(2));
            assertThat(vanished.closedByPeer()).isTrue();
            kept(gateway, client);
        }
    }

    /** Returns the gateway's new connection to the upstream, over which the client got a response. */
    private static Line kept(MemoryGateway gateway, RawClient client) {
        client.send(GET);
        Line line = gateway.acceptRequest();
        line.ok("hello");
        assertThat(client.read().status()).isEqualTo(200);
        return line;
    }

    /** A client that reads no response over HTTP/2: its window stays closed. */
    @Test
    void theWindowTimeoutFindsAClientThatVanished() {
        Http2Limits brief = new Http2Limits(
                128,
                ByteSize.of("64KiB"),
                ByteSize.of("4MiB"),
                ByteSize.of("4KiB"),
                8,
                BRIEF,
                Rate.of("400/m"),
                Rate.of("200/m"),
                Rate.of("600/m"));
        try (MemoryGateway gateway = new MemoryGateway(MemoryGateway.setup().http2(brief));
                FrameClient client = gateway.client2()) {
            gateway.origin().behave(Behaviour.ok("x".repeat(200_000)));
            client.get(1, "/").await(HEADERS);
            gateway.pass(Duration.ofSeconds(2));
            assertThat(gateway.exceeded()).containsExactly(AbuseLimit.WINDOW_TIMEOUT);
        }
    }
}
