package dev.postern.app.setting;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.core.testing.RawClient;
import dev.postern.core.testing.TestOrigin;
import org.junit.jupiter.api.Test;

/** Tests keys of upstreams, routes and forward listeners that a gateway shows only as a whole. */
class UpstreamSettingsIT {

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
