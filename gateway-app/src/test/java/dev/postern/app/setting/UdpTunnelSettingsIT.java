package dev.postern.app.setting;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.postern.core.testing.UdpOrigin;
import dev.postern.core.testing.UdpTunnelClient;
import dev.postern.core.testing.UdpTunnelClient.Version;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests the settings of UDP tunnels, through the whole gateway. */
class UdpTunnelSettingsIT {

    private static final String PORTS = "allow-ports: [\"1024-65535\"]";

    private final UdpOrigin origin = new UdpOrigin();

    @AfterEach
    void close() {
        origin.close();
    }

    private static Site site(String udp) {
        return Site.forwarding("token: off, allow-private: [127.0.0.0/8], udp: {" + udp + "}");
    }

    private static int port(Site site) {
        return site.gateway().listener("out").getPort();
    }

    private UdpTunnelClient ask(Site site) {
        return Version.HTTP_1.ask(port(site), origin.path());
    }

    private static void exchange(UdpTunnelClient client, UdpOrigin origin) {
        client.send("ping");
        origin.receive();
        origin.reply(new byte[] {'p', 'o', 'n', 'g'});
        assertThat(client.receiveText()).isEqualTo("pong");
    }

    @Test
    void onlyListedPortsAreReached() {
        try (Site site = site(PORTS);
                UdpTunnelClient client = ask(site)) {
            assertThat(client.status()).isEqualTo(101);
            exchange(client, origin);
            assertThat(site.metrics())
                    .contains("postern_tunnels{kind=\"connect-udp\"} 1.0")
                    .contains("postern_tunnel_datagrams_total{direction=\"to-client\",outcome=\"forwarded\"} 1.0");
        }
        for (String none : List.of("allow-ports: []", "")) {
            try (Site site = site(none);
                    UdpTunnelClient client = ask(site)) {
                assertThat(client.status()).as(none).isEqualTo(403);
            }
        }
    }

    @Test
    void tunnelsOfAClientAreLimited() {
        try (Site site = site(PORTS + ", per-client: 1");
                UdpTunnelClient one = ask(site);
                UdpTunnelClient two = ask(site)) {
            assertThat(one.status()).isEqualTo(101);
            assertThat(two.status()).isEqualTo(429);
            assertThat(two.body()).contains("tunnels-full");
            one.vanish();
            await().until(() -> {
                try (UdpTunnelClient next = ask(site)) {
                    return next.status() == 101;
                }
            });
        }
    }

    @Test
    void oldAndSilentTunnelsEnd() {
        for (String end : List.of("max-lifetime: 1s", "idle: 1s")) {
            try (Site site = site(PORTS + ", " + end);
                    UdpTunnelClient client = ask(site)) {
                exchange(client, origin);
                assertThat(client.end()).as(end).isEqualTo("END");
            }
        }
    }

    @Test
    void aTokenOpensOneTunnel() {
        try (Site site = Site.forwarding(
                        "token: required, allow-private: [127.0.0.0/8], udp: {" + PORTS + "}", Site.issuer());
                UdpTunnelClient first = ask(site)) {
            assertThat(first.status()).isEqualTo(407);
            String token = Site.MINT.response(first.field("Proxy-Authenticate"));
            String field = "Proxy-Authorization: " + token + "\r\n";
            try (UdpTunnelClient opened = UdpTunnelClient.ask(port(site), origin.path(), field);
                    UdpTunnelClient again = UdpTunnelClient.ask(port(site), origin.path(), field)) {
                exchange(opened, origin);
                assertThat(again.status()).isEqualTo(407);
            }
        }
    }
}
