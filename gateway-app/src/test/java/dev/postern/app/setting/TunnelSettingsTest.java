package dev.postern.app.setting;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.core.testing.RawClient;
import dev.postern.core.testing.RawClient.Response;
import dev.postern.core.testing.RawOrigin.Line;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** Tests the limit of tunnels per client, and that the end of a tunnel allows another one. */
class TunnelSettingsTest {

    private static final String OPEN = "allow-ports: [\"1024-65535\"], allow-private: [127.0.0.0/8], ";

    private static final InetSocketAddress DESTINATION = new InetSocketAddress("127.0.0.1", 8443);
    private static final String ADDRESS = "127.0.0.1:8443";

    private static MemorySite site(String tunnel, String... settings) {
        return listening(MemorySite.forwarding("token: off, " + OPEN + tunnel, settings));
    }

    private static MemorySite listening(MemorySite site) {
        site.network.listen(DESTINATION);
        return site;
    }

    private static RawClient from(MemorySite site, String address) {
        return site.connect(address, site.gateway().listener("out"));
    }

    private static String connect(String destination) {
        return "CONNECT " + destination + " HTTP/1.1\r\nHost: " + destination + "\r\n\r\n";
    }

    private static Response openTunnel(RawClient client) {
        return client.send(connect(ADDRESS)).readConnect();
    }

    private static void assertTunnelOpens(MemorySite site) {
        try (RawClient next = from(site, "127.0.0.1")) {
            assertThat(openTunnel(next).status()).isEqualTo(200);
        }
    }

    @Test
    void tunnelsOfAClientAreLimited() {
        try (MemorySite site = site("tunnel: {per-client: 2}");
                RawClient one = from(site, "127.0.0.1");
                RawClient two = from(site, "127.0.0.1");
                RawClient three = from(site, "127.0.0.1");
                RawClient other = from(site, "127.0.0.2")) {
            assertThat(openTunnel(one).status()).isEqualTo(200);
            assertThat(openTunnel(two).status()).isEqualTo(200);
            Response refused = openTunnel(three);
            assertThat(refused.status()).isEqualTo(429);
            assertThat(refused.body()).contains("\"code\":\"tunnels-full\"");
            assertThat(refused.field("Retry-After")).isNotEmpty();
            assertThat(openTunnel(other).status()).isEqualTo(200);
        }
        try (MemorySite site = site("tunnel: {}");
                RawClient one = from(site, "127.0.0.1");
                RawClient two = from(site, "127.0.0.1")) {
            assertThat(openTunnel(one).status()).isEqualTo(200);
            assertThat(openTunnel(two).status()).isEqualTo(200);
        }
    }

    @Test
    void limitIsCheckedBeforeTheToken() {
        try (MemorySite site = listening(
                        MemorySite.forwarding("token: required, " + OPEN + "tunnel: {per-client: 1}", Site.issuer()));
                RawClient one = from(site, "127.0.0.1");
                RawClient two = from(site, "127.0.0.1")) {
            String challenge = openTunnel(one).field("Proxy-Authenticate");
            String token = Site.MINT.response(challenge);
            String request = connect(ADDRESS).replace("\r\n\r\n", "\r\nProxy-Authorization: " + token + "\r\n\r\n");
            assertThat(one.send(request).readConnect().status()).isEqualTo(200);
            assertThat(openTunnel(two).status()).isEqualTo(429);
        }
    }

    @Test
    void otherRequestsAreNoTunnels() {
        try (MemorySite site = site("tunnel: {per-client: 1}");
                RawClient tunnel = from(site, "127.0.0.1");
                RawClient plain = from(site, "127.0.0.1")) {
            assertThat(openTunnel(tunnel).status()).isEqualTo(200);
            site.network.accept(DESTINATION);
            plain.send("GET http://" + ADDRESS + "/ HTTP/1.1\r\nHost: " + ADDRESS + "\r\n\r\n");
            Line line = site.network.accept(DESTINATION);
            line.readHead();
            line.ok("hello");
            assertThat(plain.read().status()).isEqualTo(200);
        }
    }

    @Test
    void everyEndOfATunnelAllowsAnother() {
        assertReleased(RawClient::close, Line::close);
        assertReleased(RawClient::finish, Line::finish);
        assertReleased(RawClient::reset, line -> {});
        assertReleased(client -> {}, Line::reset);
    }

    private static void assertReleased(Consumer<RawClient> client, Consumer<Line> destination) {
        try (MemorySite site = site("tunnel: {per-client: 1}");
                RawClient tunnel = from(site, "127.0.0.1")) {
            assertThat(openTunnel(tunnel).status()).isEqualTo(200);
            Line line = site.network.accept(DESTINATION);
            client.accept(tunnel);
            destination.accept(line);
            assertTunnelOpens(site);
        }
    }

    @Test
    void oldAndSilentTunnelsAreClosed() {
        for (String end : new String[] {"max-lifetime: 1s", "idle: 1s"}) {
            try (MemorySite site = site("tunnel: {per-client: 1, " + end + "}");
                    RawClient tunnel = from(site, "127.0.0.1")) {
                assertThat(openTunnel(tunnel).status()).isEqualTo(200);
                site.network.accept(DESTINATION);
                site.pass(Duration.ofMillis(999));
                assertThat(tunnel.patience(Duration.ZERO).closedByPeer())
                        .as(end)
                        .isFalse();
                site.pass(Duration.ofMillis(1));
                assertThat(tunnel.closedByPeer()).as(end).isTrue();
                assertTunnelOpens(site);
            }
        }
    }

    @Test
    void failedTunnelsAreNotCounted() {
        try (MemorySite site = site("tunnel: {per-client: 1}");
                RawClient client = from(site, "127.0.0.1")) {
            for (int i = 0; i < 3; i++) {
                client.send(connect("127.0.0.1:1023"));
                assertThat(client.readConnect().status()).isEqualTo(403);
                client.send(connect("127.0.0.1:65534"));
                assertThat(client.readConnect().status()).isEqualTo(502);
            }
            assertTunnelOpens(site);
        }
    }

    @Test
    void tunnelsOfDisconnectedClientsAreNotCounted() {
        // The name is never resolved: the gateway is still opening the tunnel when the client disconnects.
        try (MemorySite site = listening(MemorySite.naming(
                        (name, promise) -> {}, Site.forward("token: off, " + OPEN + "tunnel: {per-client: 1}")));
                RawClient waits = from(site, "127.0.0.1");
                RawClient second = from(site, "127.0.0.1")) {
            waits.send(connect("unresolved.example:8443"));
            assertThat(openTunnel(second).status()).isEqualTo(429);
            waits.reset();
            assertTunnelOpens(site);
        }
    }
}
