package dev.postern.app.setting;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.core.testing.RawClient;
import org.junit.jupiter.api.Test;

/** Tests keys of upstreams, routes and forward listeners that a gateway shows only as a whole. */
class UpstreamSettingsTest {

    @Test
    void mostSpecificRouteWins() {
        try (MemorySite site = MemorySite.with(
                "upstreams=[{name: app, endpoints: [\"127.0.0.1:1\"]}, {name: api, endpoints: [\"127.0.0.1:1001\"]}]",
                "routes=[{upstream: app, token: off}, {host: api.example, path: /v1, upstream: api, token: off}]")) {
            assertThat(site.get("/v1/x", "Host: api.example").status()).isEqualTo(200);
            assertThat(site.get("/v2/x", "Host: api.example").status()).isEqualTo(502);
        }
    }

    /** The pseudonym in Via is that of the process, so a gateway behind another one is no loop. */
    @Test
    void requestsThatComeBackAreRefused() {
        try (MemorySite site = MemorySite.with()) {
            site.get("/");
            String via = "Via: " + site.origin.received().get(0).field("Via");
            assertThat(via).startsWith("Via: 1.1 postern-");
            assertThat(site.get("/", via).status()).isEqualTo(508);
            assertThat(site.meter("postern_refusals_total{blame=\"upstream\",code=\"loop\""))
                    .isEqualTo(1);
            site.restart();
            assertThat(site.get("/", via).status()).isEqualTo(200);
        }
    }

    @Test
    void forwardListenersReachListedDestinationsOnly() {
        String open = "allow-ports: [\"1000-65535\"], allow-private: [127.0.0.0/8]";
        assertThat(connect("allow-ports: [443], allow-private: [127.0.0.0/8]")).isEqualTo(403);
        assertThat(connect("allow-ports: [\"1000-65535\"]")).isEqualTo(403);
        assertThat(connect(open + ", allow-names: [\"*.example\"]")).isEqualTo(403);
        assertThat(connect(open)).isEqualTo(200);
    }

    private static int connect(String policy) {
        String destination = "127.0.0.1:1001";
        try (MemorySite site = MemorySite.forwarding("token: off, " + policy);
                RawClient client = site.client("out")) {
            return client.send("CONNECT " + destination + " HTTP/1.1\r\nHost: " + destination + "\r\n\r\n")
                    .readHead()
                    .status();
        }
    }

    @Test
    void forwardListenersRequireTokensForTheirOwnName() {
        try (MemorySite site = MemorySite.with(
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
