package dev.postern.app.setting;

import static dev.postern.core.testing.FrameClient.HEADERS;
import static dev.postern.core.testing.FrameClient.WINDOW_UPDATE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.core.testing.FrameClient;
import dev.postern.core.testing.FrameOrigin;
import dev.postern.core.testing.RawClient;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** Tests the keys of upstreams that speak HTTP/2. */
class UpstreamProtocolIT {

    private static final String H2 = "upstreams.app.protocol=h2";

    private static void ok(FrameClient server, int stream, String body) {
        server.headers(stream, false, ":status", "200").data(stream, true, body);
    }

    private static String at(FrameOrigin origin) {
        return "upstreams.app.endpoints=[\"" + origin.address() + "\"]";
    }

    @Test
    void exchangesShareAConnectionUpToTheStreamLimit() {
        try (FrameOrigin origin = new FrameOrigin();
                Site site = Site.with()) {
            site.restart(at(origin), H2, "transport.event-loops=1", "upstreams.app.pool.max-streams=2");
            try (RawClient one = site.client();
                    RawClient two = site.client();
                    RawClient three = site.client()) {
                one.send(Site.request("GET", "/one"));
                FrameClient first = origin.accept();
                first.await(HEADERS);
                two.send(Site.request("GET", "/two"));
                first.await(HEADERS);
                three.send(Site.request("GET", "/three"));
                FrameClient second = origin.accept();
                second.await(HEADERS);
                ok(first, 1, "one");
                ok(first, 3, "two");
                ok(second, 1, "three");
                assertThat(one.read().body()).isEqualTo("one");
                assertThat(two.read().body()).isEqualTo("two");
                assertThat(three.read().body()).isEqualTo("three");
            }
        }
    }

    @Test
    void requestsHaveTheConfiguredAuthority() {
        try (FrameOrigin origin = new FrameOrigin();
                Site site = Site.with()) {
            site.restart(at(origin), H2, "upstreams.app.host=endpoint");
            try (RawClient client = site.client()) {
                client.send(Site.request("GET", "/"));
                FrameClient server = origin.accept();
                server.await(HEADERS);
                assertThat(server.soFar(1).field(":authority")).isEqualTo(origin.address());
                assertThat(server.soFar(1).field("x-forwarded-host")).isEqualTo("site.example");
                ok(server, 1, "one");
                assertThat(client.read().body()).isEqualTo("one");
            }
        }
    }

    @Test
    void aConnectionHasTheConfiguredWindow() {
        try (FrameOrigin origin = new FrameOrigin();
                Site site = Site.with()) {
            site.restart(at(origin), H2, "http2.max-window=3MiB");
            try (RawClient client = site.client()) {
                client.send(Site.request("GET", "/"));
                FrameClient server = origin.accept();
                assertThat(server.await(WINDOW_UPDATE).number(0)).isEqualTo((3 << 20) - 65_535);
                server.await(HEADERS);
                ok(server, 1, "one");
                assertThat(client.read().body()).isEqualTo("one");
            }
        }
    }

    @Test
    void healthChecksUseTheSameProtocol() {
        try (FrameOrigin origin = new FrameOrigin();
                Site site = Site.with()) {
            site.restart(
                    at(origin), H2, "upstreams.app.health.check={path: /healthz, interval: 50ms, rise: 1, fall: 1}");
            FrameClient check = origin.accept();
            check.await(HEADERS);
            assertThat(check.soFar(1).field(":path")).isEqualTo("/healthz");
            check.headers(1, true, ":status", "503");
            Awaitility.await().until(() -> site.get("/").body().contains("upstream-down"));
            // The gateway has sent another check; this one succeeds.
            FrameClient nextCheck = origin.accept();
            nextCheck.await(HEADERS);
            nextCheck.headers(1, true, ":status", "200");
            assertThat(nextCheck.closedByPeer()).isTrue();
        }
    }
}
