package dev.postern.core.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.core.testing.LeakExtension;
import dev.postern.core.testing.MemoryGateway;
import dev.postern.core.testing.MemoryOrigin;
import dev.postern.core.testing.RawClient;
import dev.postern.core.testing.TestOrigin;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests what clients of a forward listener get: tunnels, responses to absolute-form, and refusals. */
@ExtendWith(LeakExtension.class)
class ForwardedExchangesTest {

    private static final String DESTINATION = "127.0.0.1:8080";

    private MemoryGateway gateway = new MemoryGateway();
    private MemoryOrigin origin = gateway.origin();

    @AfterEach
    void close() {
        gateway.close();
    }

    private void restart(List<String> ports, List<String> privateRanges) {
        gateway.close();
        gateway = new MemoryGateway(MemoryGateway.setup().forward(ports, privateRanges));
        origin = gateway.origin();
    }

    private RawClient client() {
        return gateway.forwardClient();
    }

    private static String connect(String authority) {
        return "CONNECT " + authority + " HTTP/1.1\r\nHost: " + authority + "\r\n\r\n";
    }

    @Test
    void opensATunnelAndRelaysBothWays() {
        try (RawClient client = client()) {
            RawClient.Response opened = client.send(connect(DESTINATION)).readHead();
            assertThat(opened.status()).isEqualTo(200);
            assertThat(opened.head().toLowerCase(Locale.ROOT)).doesNotContain("content-length", "transfer-encoding");
            assertThat(client.get("/inside").body()).isEqualTo("hello");
            client.finish();
            origin.closeConnections();
            assertThat(client.closedByPeer()).isTrue();
        }
        assertThat(origin.received().get(0).head()).doesNotContain("X-Forwarded", "x-forwarded", "via");
        assertThat(gateway.tunnels()).isZero();
    }

    /** As JDK, Apache HttpClient and undici send it for port 443, tunnel agents of Node, and a client that names nothing. */
    @ParameterizedTest
    @ValueSource(strings = {"127.0.0.1", "proxy.example:3128", ""})
    void opensATunnelWhateverHostSays(String host) {
        try (RawClient client = client()) {
            client.send("CONNECT " + DESTINATION + " HTTP/1.1\r\nHost: " + host + "\r\n\r\n");
            assertThat(client.readHead().status()).isEqualTo(200);
            assertThat(client.get("/inside").body()).isEqualTo("hello");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"127.0.0.1", "proxy.example:3128", "other.example", ""})
    void sendsTheHostOfAnAbsoluteForm(String host) {
        try (RawClient client = client()) {
            client.send("GET http://" + DESTINATION + "/ HTTP/1.1\r\nHost: " + host + "\r\n\r\n");
            assertThat(client.read().body()).isEqualTo("hello");
        }
        assertThat(origin.received().get(0).head().toLowerCase(Locale.ROOT))
                .containsOnlyOnce("host: ")
                .contains("host: " + DESTINATION + "\r\n");
    }

    @Test
    void relaysBytesSentWithTheConnect() {
        try (RawClient client = client()) {
            client.send(connect(DESTINATION) + "GET /early HTTP/1.1\r\nHost: h\r\n\r\n");
            assertThat(client.readHead().status()).isEqualTo(200);
            assertThat(client.read().body()).isEqualTo("hello");
        }
    }

    @Test
    void keepsTheConnectionAfterARefusedConnectWithoutEarlyBytes() {
        restart(List.of("443"), List.of("127.0.0.0/8")); // by the port alone
        try (RawClient client = client()) {
            RawClient.Response refused = client.send(connect("127.0.0.1:22")).read();
            assertThat(refused.status()).isEqualTo(403);
            assertThat(refused.body()).contains("destination-forbidden");
            assertThat(client.send(connect("127.0.0.1:23")).read().status()).isEqualTo(403);
        }
        try (RawClient client = client()) {
            client.send(connect("127.0.0.1:22") + "GET /smuggled HTTP/1.1\r\nHost: h\r\n\r\n");
            assertThat(client.read().field("Connection")).isEqualTo("close");
            assertThat(client.closedByPeer()).isTrue();
        }
        assertThat(origin.connections()).isZero();
    }

    @Test
    void refusesPrivateDestinations() {
        restart(List.of("1-65535"), List.of());
        try (RawClient client = client()) {
            for (String host : List.of("127.0.0.1", "[::1]", "[::ffff:127.0.0.1]", "10.0.0.1", "169.254.169.254")) {
                assertThat(client.send(connect(host + ":443")).read().status())
                        .as(host)
                        .isEqualTo(403);
            }
        }
        assertThat(origin.connections()).isZero();
    }

    @Test
    void forwardsAnAbsoluteFormWithoutClientFields() {
        try (RawClient client = client()) {
            RawClient.Response response = client.send("GET http://" + DESTINATION + "/abs?q HTTP/1.1\r\nHost: "
                            + DESTINATION + "\r\nX-Forwarded-For: 1.2.3.4\r\n\r\n")
                    .read();
            assertThat(response.body()).isEqualTo("hello");
        }
        TestOrigin.Received request = origin.received().get(0);
        assertThat(request.line()).isEqualTo("GET /abs?q HTTP/1.1");
        assertThat(request.field("Host")).isEqualTo(DESTINATION);
        assertThat(request.field("X-Forwarded-For")).isEmpty();
        assertThat(request.field("Via")).isEqualTo("1.1 postern");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/a/../b//c/./%7ed%2fe;f?g=//h",
                "//lead",
                "/web/2026/https://x/%3Fa%3D1%26b;c%252561%23d/%2561//e",
                "/%252e%252e/x"
            })
    void changesNoPathAndReadsNone(String path) {
        try (RawClient client = client()) {
            assertThat(client.send("GET http://" + DESTINATION + path + " HTTP/1.1\r\nHost: x\r\n\r\n")
                            .read()
                            .status())
                    .isEqualTo(200);
        }
        assertThat(origin.received().get(0).line()).isEqualTo("GET " + path + " HTTP/1.1");
    }

    @Test
    void removesFieldsThatIdentifyTheClient() {
        String fields = "X-Real-IP: 192.0.2.1\r\nX_Real_IP: 192.0.2.1\r\nTrue-Client-IP: 192.0.2.1\r\n"
                + "CF-Connecting-IP: 192.0.2.1\r\nx_forwarded_for: 192.0.2.1\r\nForwarded: for=192.0.2.1\r\n";
        try (RawClient client = client()) {
            client.send("GET http://" + DESTINATION + "/ HTTP/1.1\r\nHost: " + DESTINATION + "\r\n" + fields
                    + "X-Theirs: 1\r\n\r\n");
            assertThat(client.read().body()).isEqualTo("hello");
        }
        assertThat(origin.received().get(0).head()).contains("X-Theirs: 1").doesNotContain("192.0.2.1");
    }

    @Test
    void refusesOriginFormAndNamesThatDoNotResolve() {
        try (RawClient client = client()) {
            assertThat(client.get("/").status()).isEqualTo(421);
            RawClient.Response unresolved =
                    client.send(connect("nowhere.invalid:443")).read();
            assertThat(unresolved.status()).isEqualTo(502);
            assertThat(unresolved.body()).contains("destination-unresolved");
        }
    }

    @Test
    void closesTheTunnelWhenTheDestinationCloses() {
        origin.behave((request, socket) -> socket.close());
        try (RawClient client = client()) {
            client.send(connect(DESTINATION)).readHead();
            client.send("GET / HTTP/1.1\r\nHost: h\r\n\r\n");
            assertThat(client.closedByPeer()).isTrue();
        }
        assertThat(gateway.tunnels()).isZero();
    }
}
