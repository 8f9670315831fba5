package dev.postern.app.setting;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.core.testing.RawClient;
import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** Tests the keys that limit the connections of clients, and the reports of other protocols. */
class EdgeSettingsIT {

    @Test
    void connectionsAreBounded() {
        try (Site site = Site.with("limits.connections=2");
                RawClient one = site.client();
                RawClient two = site.client();
                RawClient waits = site.client()) {
            assertThat(one.get("/").status()).isEqualTo(200);
            assertThat(two.get("/").status()).isEqualTo(200);
            site.awaitMeter("postern_connections_paused_total 1.0");
            waits.send(Site.request("GET", "/waits"));
            assertThat(site.admin("/readyz").status()).isEqualTo(200); // probes use another listener
            // Accepted by the kernel, but not by the gateway.
            Awaitility.await()
                    .during(Duration.ofMillis(300))
                    .until(() -> site.metrics().contains("postern_connections 2.0\n"));
            assertThat(site.origin.received()).hasSize(2);
            one.reset();
            assertThat(waits.read().status()).isEqualTo(200);
        }
    }

    @Test
    void connectionsOfOneAddressAreBounded() {
        try (Site site = Site.with("limits.connections-per-address=1", "listeners.web.trusted-proxies=[127.0.0.9]")) {
            try (RawClient one = new RawClient("127.0.0.1", site.port());
                    RawClient second = new RawClient("127.0.0.1", site.port());
                    RawClient other = new RawClient("127.0.0.2", site.port());
                    RawClient trusted = new RawClient("127.0.0.9", site.port());
                    RawClient trustedToo = new RawClient("127.0.0.9", site.port())) {
                assertThat(one.get("/").status()).isEqualTo(200);
                assertThat(second.closedByPeer()).isTrue();
                assertThat(other.get("/").status()).isEqualTo(200);
                assertThat(trusted.get("/").status()).isEqualTo(200);
                assertThat(trustedToo.get("/").status()).isEqualTo(200);
            }
            site.awaitMeter("postern_connections_closed_total{reason=\"address\"} 1.0");
            site.awaitMeter("postern_connections 0.0");
            assertThat(site.get("/").status()).isEqualTo(200);
        }
    }

    /** Clients of trusted proxies are judged when their requests name them. */
    @Test
    void connectionsOfDeniedAddressesAreClosed() {
        try (Site site = Site.with(
                        "listeners.web.allow=[127.0.0.0/29]",
                        "listeners.web.deny=[127.0.0.2]",
                        "listeners.web.trusted-proxies=[127.0.0.9]");
                RawClient allowed = new RawClient("127.0.0.1", site.port());
                RawClient denied = new RawClient("127.0.0.2", site.port());
                RawClient unlisted = new RawClient("127.0.0.10", site.port());
                RawClient trusted = new RawClient("127.0.0.9", site.port())) {
            assertThat(allowed.get("/").status()).isEqualTo(200);
            assertThat(denied.closedByPeer()).isTrue();
            assertThat(unlisted.closedByPeer()).isTrue();
            assertThat(trusted.send(Site.request("GET", "/", "X-Forwarded-For: 127.0.0.3"))
                            .read()
                            .status())
                    .isEqualTo(200);
            assertThat(trusted.send(Site.request("GET", "/", "X-Forwarded-For: 127.0.0.2"))
                            .read()
                            .body())
                    .contains("\"code\":\"address-denied\"");
            site.awaitMeter("postern_connections_closed_total{reason=\"address-denied\"} 2.0");
        }
    }

    @Test
    void otherProtocolsAreReported() {
        String line = "PROXY TCP4 192.0.2.1 198.51.100.1 56324 443\r\n";
        try (Site site = Site.with();
                RawClient proxy = site.client();
                RawClient tls = site.client()) {
            assertThat(proxy.send(line).read().status()).isEqualTo(400);
            assertThat(tls.send("\u0016\u0003\u0001\u0002").read().status()).isEqualTo(400);
            site.awaitMeter("postern_connections_closed_total{reason=\"proxy-header\"} 1.0");
            site.awaitMeter("postern_connections_closed_total{reason=\"tls-hello\"} 1.0");
            Awaitility.await()
                    .untilAsserted(() -> assertThat(String.join("\n", site.lines))
                            .contains("\"reason\":\"proxy-header\"", "\"reason\":\"tls-hello\""));
        }
        try (Site site = Site.with("listeners.web.protocols=[h2]");
                RawClient proxy = site.client()) {
            proxy.send(line).rest();
            site.awaitMeter("postern_connections_closed_total{reason=\"proxy-header\"} 1.0");
        }
    }
}
