package dev.postern.app.setting;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postern.core.testing.RawClient;
import dev.postern.core.testing.TestOrigin;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** Keys of upstreams, routes and the way out. */
class UpstreamSettingsIT {

    private static final TestOrigin.Behaviour SILENT = (request, socket) -> {};

    private static int connectionsOfThreeRequests(String... settings) {
        try (Site site = Site.with(settings);
                RawClient client = site.client()) {
            TestOrigin.Behaviour ok = TestOrigin.Behaviour.ok("hello");
            site.origin.behave((request, socket) -> {
                // Longer than the shortest life of a connection here.
                long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(2);
                while (System.nanoTime() - end < 0) {
                    Thread.onSpinWait();
                }
                ok.response(request, socket);
            });
            for (int i = 0; i < 3; i++) {
                assertThat(client.get("/").status()).isEqualTo(200);
            }
            return site.origin.connections();
        }
    }

    @Test
    void connectionsAreKeptAsLongAsTold() {
        assertThat(connectionsOfThreeRequests()).isEqualTo(1);
        assertThat(connectionsOfThreeRequests("upstreams.app.pool.keep-alive=false"))
                .isEqualTo(3);
        assertThat(connectionsOfThreeRequests("upstreams.app.pool.requests=2")).isEqualTo(2);
        assertThat(connectionsOfThreeRequests("upstreams.app.pool.max-lifetime=1ms"))
                .isEqualTo(3);
    }

    @Test
    void unusedConnectionsAreClosed() {
        try (Site site = Site.with("upstreams.app.pool.idle=50ms");
                RawClient client = site.client()) { // one event loop, and the one pool of that
            Awaitility.await().pollInterval(Duration.ofMillis(150)).until(() -> {
                client.get("/");
                return site.origin.connections() > 1;
            });
        }
    }

    @Test
    void poolsAreBoundedAndSoIsTheWaitForThem() throws Exception {
        CountDownLatch asked = new CountDownLatch(1);
        try (Site site = Site.with(
                        "transport.event-loops=1",
                        "upstreams.app.pool.max-connections=1",
                        "upstreams.app.pool.max-pending=1",
                        "upstreams.app.timeouts.connect=2s");
                RawClient holder = site.client();
                RawClient pending = site.client()) {
            site.origin.behave((request, socket) -> asked.countDown());
            holder.send(Site.request("GET", "/"));
            assertThat(asked.await(30, TimeUnit.SECONDS)).isTrue();
            pending.send(Site.request("GET", "/"));
            Awaitility.await()
                    .untilAsserted(() -> assertThat(site.get("/").body()).contains("upstream-busy"));
            assertThat(pending.read().body()).contains("upstream-busy");
        }
    }

    @Test
    void silentUpstreamsAreGivenUp() {
        try (Site site = Site.with("upstreams.app.timeouts.first-byte=100ms")) {
            site.origin.behave(SILENT);
            assertThat(site.get("/").body()).contains("upstream-stalled");
        }
        try (Site site = Site.with("routes=[{upstream: app, token: off, timeout: 100ms}]")) {
            site.origin.behave(SILENT);
            assertThat(site.get("/").status()).isEqualTo(504);
        }
        try (Site site = Site.with("upstreams.app.timeouts.idle=100ms");
                RawClient client = site.client()) {
            site.origin.behave(TestOrigin.Behaviour.raw("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf"));
            assertThatThrownBy(() -> client.get("/")).hasMessageContaining("cannot read");
        }
    }

    @Test
    void endpointsTakeTurns() {
        try (TestOrigin other = new TestOrigin();
                Site site = Site.with()) {
            site.again(
                    "transport.event-loops=1",
                    "upstreams.app.endpoints=[\"" + site.origin.address() + "\", \"" + other.address() + "\"]",
                    "upstreams.app.balance=round-robin");
            for (int i = 0; i < 6; i++) {
                site.get("/");
            }
            assertThat(List.of(site.origin.received().size(), other.received().size()))
                    .containsExactly(3, 3);
        }
    }

    @Test
    void preflightsPassOrNot() {
        String preflight =
                Site.request("OPTIONS", "/", "Origin: https://shop.example", "Access-Control-Request-Method: PUT");
        try (Site site = Site.asking();
                RawClient client = site.client()) {
            assertThat(client.send(preflight).read().status()).isEqualTo(200);
        }
        try (Site site = Site.asking()) {
            site.again(
                    "routes=[{upstream: app, token: required, preflight: refuse}]",
                    "privacy-pass.issuers=[{name: issuer.example, public-keys: [\"" + Site.MINT.publicKey() + "\"]}]");
            try (RawClient client = site.client()) {
                assertThat(client.send(preflight).read().status()).isEqualTo(401);
            }
        }
    }

    @Test
    void mostSpecificRouteWins() {
        try (TestOrigin other = new TestOrigin();
                Site site = Site.with(
                        "upstreams=[{name: app, endpoints: [\"127.0.0.1:1\"]}, {name: api, endpoints: [\""
                                + other.address() + "\"]}]",
                        "routes=[{upstream: app, token: off}, {host: api.example, path: /v1, upstream: api, token: off}]")) {
            assertThat(site.get("/v1/x", "Host: api.example").status()).isEqualTo(200);
            assertThat(site.get("/v2/x", "Host: api.example").status()).isEqualTo(502);
        }
    }

    private static Site wayOut(String rules) {
        return Site.with(
                "rate-limits=[{name: few, rate: 1/h, burst: 0}]",
                "listeners=[{name: out, address: \"127.0.0.1:0\", mode: forward, forward: default}]",
                "forward={default: {token: off, " + rules + "}}");
    }

    private static int connect(RawClient client, String destination) {
        return client.send("CONNECT " + destination + " HTTP/1.1\r\nHost: " + destination + "\r\n\r\n")
                .readHead()
                .status();
    }

    @Test
    void wayOutIsClosedButForWhatIsListed() {
        try (TestOrigin origin = new TestOrigin()) {
            String open = "allow-ports: [\"1024-65535\"], allow-private: [127.0.0.0/8]";
            assertThat(connectOnce("allow-ports: [443], allow-private: [127.0.0.0/8]", origin))
                    .isEqualTo(403);
            assertThat(connectOnce("allow-ports: [\"1024-65535\"]", origin)).isEqualTo(403);
            assertThat(connectOnce(open + ", allow-names: [\"*.example\"]", origin))
                    .isEqualTo(403);
            assertThat(connectOnce(open, origin)).isEqualTo(200);
        }
    }

    private static int connectOnce(String rules, TestOrigin origin) {
        try (Site site = wayOut(rules);
                RawClient client = site.client("out")) {
            return connect(client, origin.address());
        }
    }

    @Test
    void wayOutHasItsRate() {
        try (TestOrigin origin = new TestOrigin();
                Site site = wayOut("allow-ports: [\"1024-65535\"], allow-private: [127.0.0.0/8], rate-limit: few");
                RawClient first = site.client("out");
                RawClient second = site.client("out")) {
            assertThat(connect(first, origin.address())).isEqualTo(200);
            assertThat(connect(second, origin.address())).isEqualTo(429);
        }
    }

    @Test
    void tunnelsEndWhenTheyAreOldOrSilent() {
        for (String end : new String[] {"tunnel: {max-lifetime: 1s}", "tunnel: {idle: 1s}"}) {
            try (TestOrigin origin = new TestOrigin();
                    Site site = wayOut("allow-ports: [\"1024-65535\"], allow-private: [127.0.0.0/8], " + end);
                    RawClient client = site.client("out")) {
                assertThat(connect(client, origin.address())).isEqualTo(200);
                assertThat(client.closedByPeer()).as(end).isTrue();
            }
        }
    }

    @Test
    void wayOutAsksForTokensInItsOwnName() {
        try (Site site = Site.with(
                        "listeners=[{name: out, address: \"127.0.0.1:0\", mode: forward, forward: default, origin-name: proxy.example}]",
                        "forward={default: {token: required}}",
                        "privacy-pass.issuers=[{name: issuer.example, public-keys: [\"" + Site.MINT.publicKey()
                                + "\"]}]");
                RawClient client = site.client("out")) {
            RawClient.Response refused = client.send("CONNECT a.example:443 HTTP/1.1\r\nHost: a.example:443\r\n\r\n")
                    .read();
            assertThat(refused.status()).isEqualTo(407);
            assertThat(Challenged.originInfo(refused.field("Proxy-Authenticate")))
                    .isEqualTo("proxy.example");
        }
    }
}
