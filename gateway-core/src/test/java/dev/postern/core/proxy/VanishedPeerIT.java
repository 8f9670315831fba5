package dev.postern.core.proxy;

import static dev.postern.core.testing.FrameClient.HEADERS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.postern.core.config.ByteSize;
import dev.postern.core.config.Rate;
import dev.postern.core.http1.Http1Limits;
import dev.postern.core.http2.guard.AbuseLimit;
import dev.postern.core.http2.guard.Http2Limits;
import dev.postern.core.route.ForwardPolicy;
import dev.postern.core.testing.CoreGateway;
import dev.postern.core.testing.CoreGateway.Setup;
import dev.postern.core.testing.FrameClient;
import dev.postern.core.testing.FrozenRelay;
import dev.postern.core.testing.Http2Origin;
import dev.postern.core.testing.LeakExtension;
import dev.postern.core.testing.RawClient;
import dev.postern.core.testing.TestOrigin;
import dev.postern.core.testing.TestOrigin.Behaviour;
import dev.postern.core.upstream.endpoint.UpstreamSettings;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Tests who notices a peer that vanished without FIN: the rows of the table in docs/failures.md that concern the core. */
@ExtendWith(LeakExtension.class)
class VanishedPeerIT {

    private static final Duration LONG = Duration.ofSeconds(60);

    /** Also bounds a connect, so longer than pauses of a busy machine. */
    private static final Duration PING_PATIENCE = Duration.ofSeconds(4);

    /**
     * A watch stays open on the connection, and a request comes every second until eight streams are open, as many as the server permits: all
     * are served in the end.
     */
    @Test
    void aPingFindsAnHttp2UpstreamThatVanished() {
        try (Http2Origin origin = new Http2Origin();
                FrozenRelay relay = new FrozenRelay(origin.address());
                CoreGateway gateway = new CoreGateway(Setup.of(relay.address())
                        .toHttp2(null)
                        .connect(PING_PATIENCE)
                        .firstByte(LONG)
                        .idle(LONG));
                FrameClient client = FrameClient.connect(gateway.port())) {
            client.get(1, "/first");
            assertThat(client.response(1).body()).isEqualTo(Http2Origin.body("/first"));
            client.post(3, "/watch").data(3, false, "open");
            relay.freeze();
            for (int id = 5; id < 19; id += 2) {
                client.get(id, "/" + id);
                await().pollDelay(Duration.ofSeconds(1)).until(() -> true);
            }
            for (int id = 5; id < 19; id += 2) {
                assertThat(client.response(id).status()).isEqualTo("200");
            }
            assertThat(relay.accepted()).isEqualTo(2);
            assertThat(client.soFar(3).ended()).as("the watch").isFalse();
        }
    }

    /** No stream is open: the connection is closed, and the next request is sent again. */
    @Test
    void aPingFindsAnIdleHttp2ConnectionThatVanished() {
        try (Http2Origin origin = new Http2Origin();
                FrozenRelay relay = new FrozenRelay(origin.address());
                CoreGateway gateway = new CoreGateway(Setup.of(relay.address())
                        .toHttp2(null)
                        .connect(PING_PATIENCE)
                        .firstByte(LONG));
                FrameClient client = FrameClient.connect(gateway.port())) {
            assertThat(client.get(1, "/first").response(1).status()).isEqualTo("200");
            relay.freeze();
            await().pollDelay(Duration.ofMillis(5_100)).until(() -> true);
            assertThat(client.get(3, "/3").response(3).status()).isEqualTo("200");
            await().until(() -> relay.abandoned() == 1);
        }
    }

    /** The first response in time is not awaited again on the same connection: requests after a time-out use another one. */
    @Test
    void aTimeoutMakesAnotherHttp2ConnectionPreferred() {
        try (Http2Origin origin = new Http2Origin();
                FrozenRelay relay = new FrozenRelay(origin.address());
                CoreGateway gateway =
                        new CoreGateway(Setup.of(relay.address()).toHttp2(null).firstByte(Duration.ofMillis(300)));
                FrameClient client = FrameClient.connect(gateway.port())) {
            assertThat(client.get(1, "/first").response(1).status()).isEqualTo("200");
            relay.freeze();
            assertThat(client.get(3, "/3").response(3).status()).isEqualTo("504");
            assertThat(client.get(5, "/5").response(5).status()).isEqualTo("200");
        }
    }

    @Test
    void theFirstByteTimeoutFindsAnHttp1UpstreamThatVanished() {
        try (TestOrigin origin = new TestOrigin();
                FrozenRelay relay = new FrozenRelay(origin.address());
                CoreGateway gateway = new CoreGateway(Setup.of(relay.address()).firstByte(Duration.ofMillis(300)));
                RawClient client = new RawClient(gateway.port())) {
            assertThat(client.get("/").status()).isEqualTo(200);
            relay.freeze();
            assertThat(client.get("/").status()).isEqualTo(504);
            await().until(() -> relay.abandoned() == 1);
            assertThat(client.get("/").status()).isEqualTo(200);
        }
    }

    @Test
    void thePoolClosesAnIdleHttp1ConnectionThatVanished() {
        UpstreamSettings.Pool brief =
                new UpstreamSettings.Pool(true, 10, 10, Duration.ofMillis(300), false, Duration.ofMinutes(10), 0, 100);
        try (TestOrigin origin = new TestOrigin();
                FrozenRelay relay = new FrozenRelay(origin.address());
                CoreGateway gateway = new CoreGateway(Setup.of(relay.address()).pool(brief));
                RawClient client = new RawClient(gateway.port())) {
            assertThat(client.get("/").status()).isEqualTo(200);
            relay.freeze();
            await().until(() -> relay.abandoned() == 1);
            assertThat(client.get("/").status()).isEqualTo(200);
        }
    }

    /** The destination and the client of a tunnel vanish: the tunnel is closed on both sides. */
    @Test
    void theIdleTimeoutOfATunnelFindsBothSides() {
        ForwardPolicy.Tunnel brief = new ForwardPolicy.Tunnel(Duration.ofSeconds(1), Duration.ZERO, 0);
        try (TestOrigin origin = new TestOrigin();
                FrozenRelay destination = new FrozenRelay(origin.address());
                CoreGateway gateway = new CoreGateway(Setup.of(origin.address()).tunnel(brief));
                FrozenRelay relay = new FrozenRelay("127.0.0.1:" + gateway.forwardPort());
                RawClient client = new RawClient(relay.port())) {
            client.send(
                    "CONNECT " + destination.address() + " HTTP/1.1\r\nHost: " + destination.address() + "\r\n\r\n");
            await().until(() -> destination.accepted() == 1);
            relay.freeze();
            destination.freeze();
            await().until(() -> destination.abandoned() == 1);
            await().until(() -> gateway.server().connections() == 0);
        }
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
                Duration.ofMillis(300),
                Rate.of("400/m"),
                Rate.of("200/m"),
                Rate.of("600/m"));
        try (TestOrigin origin = new TestOrigin();
                CoreGateway gateway = new CoreGateway(Setup.of(origin.address()).http2(brief));
                FrozenRelay relay = new FrozenRelay("127.0.0.1:" + gateway.port());
                FrameClient client = FrameClient.connect(relay.port())) {
            origin.behave(Behaviour.ok("x".repeat(200_000)));
            client.get(1, "/").await(HEADERS);
            relay.freeze();
            await().until(() -> gateway.server().connections() == 0);
            assertThat(gateway.budgets()).containsExactly(AbuseLimit.WINDOW_TIMEOUT);
        }
    }

    @Test
    void theKeepAliveTimeoutFindsAClientThatVanished() {
        Duration brief = Duration.ofMillis(300);
        try (TestOrigin origin = new TestOrigin();
                CoreGateway gateway = new CoreGateway(Setup.of(origin.address())
                        .limits(new Http1Limits(16 * 1024, 64 * 1024, brief, brief, brief, 8)));
                FrozenRelay relay = new FrozenRelay("127.0.0.1:" + gateway.port());
                RawClient plain = new RawClient(relay.port());
                FrameClient streams = FrameClient.connect(relay.port())) {
            assertThat(plain.get("/").status()).isEqualTo(200);
            streams.get(1, "/").await(HEADERS);
            relay.freeze();
            await().until(() -> gateway.server().connections() == 0);
        }
    }
}
