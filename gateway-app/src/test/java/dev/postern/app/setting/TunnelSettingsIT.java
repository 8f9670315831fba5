package dev.postern.app.setting;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.postern.core.testing.RawClient;
import dev.postern.core.testing.RawClient.Response;
import dev.postern.core.testing.RawOrigin;
import dev.postern.core.testing.RawOrigin.Line;
import java.io.IOException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests the limit of tunnels per client, and that the end of a tunnel allows another one. */
class TunnelSettingsIT {

    private static final String OPEN = "allow-ports: [\"1024-65535\"], allow-private: [127.0.0.0/8], ";

    private final RawOrigin origin = new RawOrigin();

    @AfterEach
    void close() {
        origin.close();
    }

    private static Site site(String tunnel, String... settings) {
        return Site.forwarding("token: off, " + OPEN + tunnel, settings);
    }

    private static RawClient from(Site site, String address) {
        return new RawClient(address, site.gateway().listener("out").getPort());
    }

    private static String connect(String destination) {
        return "CONNECT " + destination + " HTTP/1.1\r\nHost: " + destination + "\r\n\r\n";
    }

    private Response openTunnel(RawClient client) {
        return client.send(connect(origin.address())).readConnect();
    }

    /** Requests tunnels, each on a new connection, until one opens. */
    private void awaitTunnel(Site site, String address) {
        await().until(() -> {
            try (RawClient next = from(site, address)) {
                boolean open = openTunnel(next).status() == 200;
                if (open) {
                    origin.accept().close();
                }
                return open;
            }
        });
    }

    @Test
    void tunnelsOfAClientAreLimited() {
        try (Site site = site("tunnel: {per-client: 2}");
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
        try (Site site = site("tunnel: {}");
                RawClient one = from(site, "127.0.0.1");
                RawClient two = from(site, "127.0.0.1")) {
            assertThat(openTunnel(one).status()).isEqualTo(200);
            assertThat(openTunnel(two).status()).isEqualTo(200);
        }
    }

    @Test
    void limitIsCheckedBeforeTheToken() {
        try (Site site = Site.forwarding("token: required, " + OPEN + "tunnel: {per-client: 1}", Site.issuer());
                RawClient one = from(site, "127.0.0.1");
                RawClient two = from(site, "127.0.0.1")) {
            String challenge = openTunnel(one).field("Proxy-Authenticate");
            String token = Site.MINT.response(challenge);
            String request =
                    connect(origin.address()).replace("\r\n\r\n", "\r\nProxy-Authorization: " + token + "\r\n\r\n");
            assertThat(one.send(request).readConnect().status()).isEqualTo(200);
            assertThat(openTunnel(two).status()).isEqualTo(429);
        }
    }

    @Test
    void otherRequestsAreNoTunnels() {
        try (Site site = site("tunnel: {per-client: 1}");
                RawClient tunnel = from(site, "127.0.0.1");
                RawClient plain = from(site, "127.0.0.1")) {
            assertThat(openTunnel(tunnel).status()).isEqualTo(200);
            origin.accept();
            plain.send("GET http://" + origin.address() + "/ HTTP/1.1\r\nHost: " + origin.address() + "\r\n\r\n");
            Line line = origin.accept();
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

    private void assertReleased(Consumer<RawClient> client, Consumer<Line> destination) {
        try (Site site = site("tunnel: {per-client: 1}");
                RawClient tunnel = from(site, "127.0.0.1")) {
            assertThat(openTunnel(tunnel).status()).isEqualTo(200);
            Line line = origin.accept();
            client.accept(tunnel);
            destination.accept(line);
            awaitTunnel(site, "127.0.0.1");
        }
    }

    @Test
    void oldAndSilentTunnelsAreClosed() {
        for (String end : new String[] {"max-lifetime: 1s", "idle: 1s"}) {
            try (Site site = site("tunnel: {per-client: 1, " + end + "}");
                    RawClient tunnel = from(site, "127.0.0.1")) {
                assertThat(openTunnel(tunnel).status()).isEqualTo(200);
                origin.accept();
                assertThat(tunnel.closedByPeer()).isTrue();
                awaitTunnel(site, "127.0.0.1");
            }
        }
    }

    @Test
    void failedTunnelsAreNotCounted() {
        try (Site site = site("tunnel: {per-client: 1}");
                RawClient client = from(site, "127.0.0.1")) {
            for (int i = 0; i < 3; i++) {
                client.send(connect("127.0.0.1:1023"));
                assertThat(client.readConnect().status()).isEqualTo(403);
                client.send(connect("127.0.0.1:65534"));
                assertThat(client.readConnect().status()).isEqualTo(502);
            }
            awaitTunnel(site, "127.0.0.1"); // a response is sent shortly before its exchange ends
        }
    }

    @Test
    void tunnelsOfDisconnectedClientsAreNotCounted() throws IOException {
        // The name server does not respond: the gateway is still opening the tunnel when the client disconnects.
        try (DatagramSocket silent = new DatagramSocket(0, InetAddress.getLoopbackAddress());
                Site site = site(
                        "tunnel: {per-client: 1}",
                        // twice, for twice the time of one query
                        "transport.name-servers=[\"127.0.0.1:%1$d\", \"127.0.0.1:%1$d\"]"
                                .formatted(silent.getLocalPort()));
                RawClient waits = from(site, "127.0.0.1");
                RawClient second = from(site, "127.0.0.1")) {
            waits.send(connect("unresolved.example:8443"));
            await().until(() -> {
                try (RawClient next = from(site, "127.0.0.1")) {
                    return openTunnel(next).status() == 429;
                }
            });
            assertThat(openTunnel(second).status()).isEqualTo(429);
            waits.reset();
            awaitTunnel(site, "127.0.0.1");
        }
    }
}
