package dev.postern.app.setting;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.core.testing.RawClient;
import dev.postern.core.testing.TestOrigin;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** Tests the keys of upstreams, routes and forward listeners. */
class UpstreamSettingsIT {

    private static int connectionsOfThreeRequests(String... settings) {
        try (Site site = Site.with(settings);
                RawClient client = site.client()) {
            TestOrigin.Behaviour ok = TestOrigin.Behaviour.ok("hello");
            site.origin.behave((request, socket) -> {
                // Longer than the shortest lifetime of a connection in this test.
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
    void connectionsAreKeptAsConfigured() {
        assertThat(connectionsOfThreeRequests()).isEqualTo(1);
        assertThat(connectionsOfThreeRequests("upstreams.app.pool.keep-alive=false"))
                .isEqualTo(3);
        assertThat(connectionsOfThreeRequests("upstreams.app.pool.requests=2")).isEqualTo(2);
        assertThat(connectionsOfThreeRequests("upstreams.app.pool.max-lifetime=1ms"))
                .isEqualTo(3);
    }

    /** Returns the status of a request beside those of another network that hold all connections. */
    private static int statusBesideHolders(String... settings) {
        try (Site site = Site.with(settings)) {
            List<RawClient> holders = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                holders.add(site.client().send(Site.request("POST", "/", "Content-Length: 9")));
            }
            site.awaitMeter("postern_upstream_connections{state=\"open\",upstream=\"app\"} 4.0");
            try (RawClient other = new RawClient("127.0.0.2", site.port())) {
                return other.get("/").status();
            } finally {
                holders.forEach(RawClient::close);
            }
        }
    }

    @Test
    void oneNetworkHoldsItsShareWhileOthersWait() {
        assertThat(statusBesideHolders("upstreams.app.pool.max-connections=4")).isEqualTo(200);
        assertThat(statusBesideHolders("upstreams.app.pool={max-connections: 4, max-share: 100%}"))
                .isEqualTo(503);
    }

    /** Returns the upstream's Expect field of a request whose client waits for 100 (Continue). */
    private static String expectAtTheUpstream(String... settings) {
        try (Site site = Site.with(settings);
                RawClient client = site.client()) {
            client.send(Site.request("POST", "/", "Content-Length: 4", "Expect: 100-continue"));
            assertThat(client.read().status()).isEqualTo(100);
            assertThat(client.send("body").read().status()).isEqualTo(200);
            return site.origin.received().get(0).field("Expect");
        }
    }

    @Test
    void theUpstreamDecidesOnBodiesAsConfigured() {
        assertThat(expectAtTheUpstream()).isEqualTo("100-continue");
        assertThat(expectAtTheUpstream("upstreams.app.expect=answer")).isEmpty();
    }

    @Test
    void unusedConnectionsAreClosed() {
        try (Site site = Site.with("upstreams.app.pool.idle=50ms");
                RawClient client = site.client()) { // one event loop and its pool
            Awaitility.await().pollInterval(Duration.ofMillis(150)).until(() -> {
                client.get("/");
                return site.origin.connections() > 1;
            });
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

    @Test
    void forwardListenersReachListedDestinationsOnly() {
        try (TestOrigin origin = new TestOrigin()) {
            String open = "allow-ports: [\"1024-65535\"], allow-private: [127.0.0.0/8]";
            assertThat(connect("allow-ports: [443], allow-private: [127.0.0.0/8]", origin))
                    .isEqualTo(403);
            assertThat(connect("allow-ports: [\"1024-65535\"]", origin)).isEqualTo(403);
            assertThat(connect(open + ", allow-names: [\"*.example\"]", origin)).isEqualTo(403);
            assertThat(connect(open, origin)).isEqualTo(200);
        }
    }

    private static int connect(String policy, TestOrigin origin) {
        String destination = origin.address();
        try (Site site = Site.forwarding("token: off, " + policy);
                RawClient client = site.client("out")) {
            return client.send("CONNECT " + destination + " HTTP/1.1\r\nHost: " + destination + "\r\n\r\n")
                    .readHead()
                    .status();
        }
    }

    @Test
    void forwardListenersRequireTokensForTheirOwnName() {
        try (Site site = Site.with(
                        "listeners=[{name: out, address: \"127.0.0.1:0\", mode: forward, forward: default, origin-name: proxy.example}]",
                        "forward={default: {token: required}}",
                        Site.issuer());
                RawClient client = site.client("out")) {
            RawClient.Response refused = client.send("CONNECT a.example:443 HTTP/1.1\r\nHost: a.example:443\r\n\r\n")
                    .read();
            assertThat(refused.status()).isEqualTo(407);
            assertThat(Site.decoded(refused.field("Proxy-Authenticate")).originInfo())
                    .isEqualTo("proxy.example");
        }
    }
}
