package dev.postern.core.proxy;

import static dev.postern.core.testing.FrameClient.HEADERS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.postern.core.route.ForwardSettings;
import dev.postern.core.testing.CoreGateway;
import dev.postern.core.testing.CoreGateway.Setup;
import dev.postern.core.testing.FrameClient;
import dev.postern.core.testing.FrozenRelay;
import dev.postern.core.testing.Http2Origin;
import dev.postern.core.testing.LeakExtension;
import dev.postern.core.testing.RawClient;
import dev.postern.core.testing.TestLimits;
import dev.postern.core.testing.TestOrigin;
import java.time.Duration;
import java.util.Map;
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

    /** The destination and the client of a tunnel vanish: the tunnel is closed on both sides. */
    @Test
    void theIdleTimeoutOfATunnelFindsBothSides() {
        ForwardSettings.Tunnel brief = new ForwardSettings.Tunnel(Duration.ofSeconds(1), Duration.ZERO, 0);
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

    @Test
    void theKeepAliveTimeoutFindsAClientThatVanished() {
        Duration brief = Duration.ofMillis(300);
        try (TestOrigin origin = new TestOrigin();
                CoreGateway gateway = new CoreGateway(Setup.of(origin.address())
                        .limits(TestLimits.with(
                                Map.of("headTimeout", brief, "bodyIdleTimeout", brief, "keepAliveTimeout", brief))));
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
