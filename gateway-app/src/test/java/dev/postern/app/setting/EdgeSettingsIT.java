package dev.postern.app.setting;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.core.testing.RawClient;
import dev.postern.core.testing.TestOrigin;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** Keys that say who may connect, how many, and how slowly they may read. */
class EdgeSettingsIT {

    private static final int SIZE = 96_000_000; // more than the sockets between take

    private static void meter(Site site, String line) {
        Awaitility.await()
                .untilAsserted(() -> assertThat(site.admin("/metrics").body()).contains(line + "\n"));
    }

    @Test
    void connectionsAreBounded() {
        try (Site site = Site.with("limits.connections=2");
                RawClient one = site.client();
                RawClient two = site.client();
                RawClient waits = site.client()) {
            assertThat(one.get("/").status()).isEqualTo(200);
            assertThat(two.get("/").status()).isEqualTo(200);
            meter(site, "postern_connections_paused_total 1.0");
            waits.send(Site.request("GET", "/waits"));
            assertThat(site.admin("/readyz").status()).isEqualTo(200); // probes have a way of their own
            // Connected for the kernel, and not for us.
            Awaitility.await()
                    .during(Duration.ofMillis(300))
                    .until(() -> site.admin("/metrics").body().contains("postern_connections 2.0\n"));
            assertThat(site.origin.received()).hasSize(2);
            one.reset();
            assertThat(waits.read().status()).isEqualTo(200);
        }
        try (Site site = Site.with("limits.connections=3");
                RawClient one = site.client();
                RawClient two = site.client();
                RawClient three = site.client()) {
            assertThat(one.get("/").status()).isEqualTo(200);
            assertThat(two.get("/").status()).isEqualTo(200);
            assertThat(three.get("/").status()).isEqualTo(200);
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
            meter(site, "postern_connections_closed_total{reason=\"address\"} 1.0");
            meter(site, "postern_connections 0.0");
            assertThat(site.get("/").status()).isEqualTo(200);
        }
    }

    @Test
    void loadBalancersSayWhoTheClientIs() {
        String line = "PROXY TCP4 192.0.2.1 198.51.100.1 56324 443\r\n";
        try (Site site = Site.with();
                RawClient client = site.client()) {
            assertThat(client.send(line).read().status()).isEqualTo(400);
        }
        try (Site site = Site.with(
                        "listeners.web.proxy-protocol=required", "listeners.web.trusted-proxies=[127.0.0.0/8]");
                RawClient client = site.client()) {
            assertThat(client.send(line + Site.request("GET", "/")).read().status())
                    .isEqualTo(200);
            assertThat(site.origin.received().get(0).field("X-Forwarded-For")).isEqualTo("192.0.2.1");
        }
    }

    @Test
    void clientsOfOtherProtocolsAreNamed() {
        String line = "PROXY TCP4 192.0.2.1 198.51.100.1 56324 443\r\n";
        try (Site site = Site.with();
                RawClient proxy = site.client();
                RawClient tls = site.client()) {
            assertThat(proxy.send(line).read().status()).isEqualTo(400);
            assertThat(tls.send("\u0016\u0003\u0001\u0002").read().status()).isEqualTo(400);
            meter(site, "postern_connections_closed_total{reason=\"proxy-header\"} 1.0");
            meter(site, "postern_connections_closed_total{reason=\"tls-hello\"} 1.0");
            Awaitility.await()
                    .untilAsserted(() -> assertThat(String.join("\n", site.lines))
                            .contains("\"reason\":\"proxy-header\"", "\"reason\":\"tls-hello\""));
        }
        try (Site site = Site.with("listeners.web.protocols=[h2]");
                RawClient proxy = site.client()) {
            proxy.send(line).rest();
            meter(site, "postern_connections_closed_total{reason=\"proxy-header\"} 1.0");
        }
    }

    @Test
    void whoDoesNotReadLosesTheConnection() {
        TestOrigin.Behaviour large = (request, socket) -> {
            socket.getOutputStream()
                    .write(("HTTP/1.1 200 OK\r\nContent-Length: " + SIZE + "\r\n\r\n")
                            .getBytes(StandardCharsets.US_ASCII));
            byte[] piece = new byte[SIZE / 96];
            for (int i = 0; i < 96; i++) {
                socket.getOutputStream().write(piece);
            }
        };
        try (Site site = Site.with("limits.write-idle-timeout=200ms");
                RawClient client = site.client()) {
            site.origin.behave(large);
            client.send(Site.request("GET", "/"));
            meter(site, "postern_connections_closed_total{reason=\"stalled\"} 1.0");
        }
        try (Site site = Site.with();
                RawClient client = site.client()) {
            site.origin.behave(large);
            client.send(Site.request("GET", "/"));
            Awaitility.await().pollDelay(Duration.ofMillis(600)).until(() -> true);
            assertThat(client.read().body()).hasSize(SIZE);
        }
    }
}
