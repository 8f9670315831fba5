package dev.postern.core.connection;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.core.connection.CloseReasonMetrics.Why;
import dev.postern.core.exchange.Exchange;
import dev.postern.core.net.AddressRule;
import dev.postern.core.net.CidrSet;
import dev.postern.core.server.MemoryListener;
import dev.postern.core.testing.FrameClient;
import dev.postern.core.testing.LeakExtension;
import dev.postern.core.testing.MemoryGateway;
import dev.postern.core.testing.MemoryOrigin;
import dev.postern.core.testing.RawClient;
import dev.postern.core.testing.TestCertificate;
import dev.postern.core.testing.TestLimits;
import dev.postern.core.testing.TestTls;
import dev.postern.core.tls.ServerTls;
import dev.postern.core.tls.TlsEngine;
import dev.postern.core.tls.certificate.KeyPairFiles;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests a listener behind load balancers; the test clients act as load balancers. */
@ExtendWith(LeakExtension.class)
class ProxyProtocolTest {

    private static final String GET = "GET / HTTP/1.1\r\nHost: h\r\n\r\n";
    private static final String LINE = "PROXY TCP4 192.0.2.1 198.51.100.1 56324 443\r\n";

    private final MemoryGateway gateway = new MemoryGateway(
            MemoryGateway.setup().limits(TestLimits.with(Map.of("connections", 100, "connectionsPerAddress", 2))));
    private final MemoryOrigin origin = gateway.origin();
    private final MemoryListener listener = gateway.listenBehind("127.0.0.1", null);

    @AfterEach
    void close() {
        gateway.close();
    }

    private RawClient client() {
        return RawClient.over(gateway.connect(listener));
    }

    private FrameClient silent2() {
        return FrameClient.over(gateway.connect(listener));
    }

    private String receivedClient(int request) {
        return origin.received().get(request).field("X-Forwarded-For");
    }

    @Test
    void clientAddressesComeFromTheLoadBalancer() {
        try (RawClient client = client()) {
            assertThat(client.send(LINE + GET).read().status()).isEqualTo(200);
            assertThat(client.send(GET).read().status()).isEqualTo(200);
        }
        assertThat(receivedClient(0)).isEqualTo("192.0.2.1");
        assertThat(receivedClient(1)).isEqualTo("192.0.2.1");
        assertThat(gateway.ended().get(0).client().peerPort()).isEqualTo(56324);
    }

    @Test
    void closesConnectionsOfClientsThatTheListenerDenies() {
        MemoryListener denying = gateway.listenBehind(
                "127.0.0.1", null, new AddressRule(null, CidrSet.of(List.of("192.0.2.1", "127.0.0.1"))));
        try (RawClient denied = RawClient.over(gateway.connect(denying));
                RawClient other = RawClient.over(gateway.connect(denying))) {
            assertThat(denied.send(LINE + GET).closedByPeer()).isTrue();
            assertThat(gateway.metrics().closed(Why.ADDRESS_DENIED)).isEqualTo(1);
            assertThat(other.send(LINE.replace("192.0.2.1", "192.0.2.2") + GET)
                            .read()
                            .status())
                    .isEqualTo(200);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "50524f58592054435034203139322e302e322e31203139382e35312e3130302e3120353633323420343433"
                        + "0d0a", // version 1
                "0d0a0d0a000d0a515549540a" + "2111" + "000c" + "c0000201c6336401" + "040001bb",
                "0d0a0d0a000d0a515549540a" + "2000" + "0000" // the load balancer itself
            })
    void acceptsHttpsFromALoadBalancerThatDoesNotTell(String header) {
        try (FrameClient client = silent2()) {
            client.bytes(HexFormat.of().parseHex(header)).greet();
            String[] request = FrameClient.request("GET", "/");
            request[3] = "https";
            assertThat(client.headers(1, true, request).response(1).status()).isEqualTo("200");
            assertThat(client.headers(3, true, FrameClient.request("GET", "/"))
                            .response(3)
                            .status())
                    .isEqualTo("200");
        }
        assertThat(origin.received())
                .as("the field is the client's own word")
                .extracting(received -> received.field("X-Forwarded-Proto"))
                .containsExactly("http", "http");
    }

    @Test
    void tlsOfTheClientComesFromTheLoadBalancer() {
        String body = "2111" + "0014" + "c0000201c6336401" + "040001bb" + "20000501" + "00000000";
        byte[] header = HexFormat.of().parseHex("0d0a0d0a000d0a515549540a" + body);
        try (RawClient client = client();
                FrameClient multiplexed = silent2()) {
            client.send(new String(header, StandardCharsets.ISO_8859_1) + GET);
            assertThat(client.read().status()).isEqualTo(200);
            multiplexed.bytes(header).greet();
            String[] request = FrameClient.request("GET", "/");
            request[3] = "https";
            assertThat(multiplexed.headers(1, true, request).response(1).status())
                    .as("the scheme that the client sent over TLS")
                    .isEqualTo("200");
        }
        assertThat(origin.received())
                .extracting(received -> received.field("X-Forwarded-Proto"))
                .containsExactly("https", "https");
        assertThat(gateway.ended()).allMatch(Exchange::clientSecure);
    }

    @Test
    void acceptsALocalHeaderOfTheLoadBalancer() {
        try (RawClient client = client()) {
            assertThat(client.send("PROXY UNKNOWN\r\n" + GET).read().status()).isEqualTo(200);
        }
        // The load balancer is a trusted proxy, so the address in its forwarded fields counts.
        assertThat(receivedClient(0)).isEqualTo("127.0.0.1");
    }

    @Test
    void closesConnectionsOfOtherPeers() {
        try (RawClient client = RawClient.over(gateway.connect(listener, "127.0.0.2"))) {
            assertThat(client.closedByPeer()).isTrue();
        }
        assertThat(gateway.metrics().closed(Why.PROXY_PROTOCOL)).isEqualTo(1);
    }

    @Test
    void anInvalidHeaderClosesTheConnection() {
        try (RawClient client = client()) {
            client.send(GET);
            assertThat(client.closedByPeer()).isTrue();
        }
        try (RawClient client = client()) {
            client.send(LINE.replace("192.0.2.1", "192.0.2.1.1") + GET);
            assertThat(client.closedByPeer()).isTrue();
        }
        assertThat(gateway.metrics().closed(Why.PROXY_PROTOCOL)).isEqualTo(2);
        assertThat(gateway.ended()).isEmpty();
    }

    @Test
    void clientsAreCountedByTheirOwnAddresses() {
        try (RawClient first = client();
                RawClient second = client();
                RawClient third = client();
                RawClient other = client()) {
            assertThat(first.send(LINE + GET).read().status()).isEqualTo(200);
            assertThat(second.send(LINE + GET).read().status()).isEqualTo(200);
            assertThat(third.send(LINE + GET).closedByPeer()).isTrue();
            assertThat(other.send(LINE.replace("192.0.2.1", "192.0.2.2") + GET)
                            .read()
                            .status())
                    .isEqualTo(200);
        }
        assertThat(gateway.metrics().closed(Why.ADDRESS)).isEqualTo(1);
        assertThat(listener.connections()).isZero();
        try (RawClient again = client()) {
            assertThat(again.send(LINE + GET).read().status()).isEqualTo(200);
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = TlsEngine.Kind.class,
            names = {"BORINGSSL", "JDK"})
    void tlsBeginsAfterTheHeader(TlsEngine.Kind engine, @TempDir Path folder) throws IOException {
        TestCertificate certificate = TestCertificate.ec(folder, "tls", "dns:localhost");
        MemoryListener secure = gateway.listenBehind(
                "127.0.0.1",
                new ServerTls(
                        TestTls.environment(engine),
                        new ServerTls.Settings(
                                List.of(new KeyPairFiles(certificate.certificate(), certificate.key())),
                                null,
                                "TLSv1.2"),
                        List.of(),
                        Duration.ofSeconds(5)));
        Socket plain = gateway.connect(secure);
        plain.getOutputStream().write(LINE.getBytes(StandardCharsets.US_ASCII));
        try (SSLSocket socket = TestTls.over(plain, TestCertificate.context(null, certificate))) {
            socket.getOutputStream()
                    .write(GET.replace("\r\n\r\n", "\r\nConnection: close\r\n\r\n")
                            .getBytes(StandardCharsets.US_ASCII));
            assertThat(new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII))
                    .startsWith("HTTP/1.1 200 ");
        }
        assertThat(receivedClient(0)).isEqualTo("192.0.2.1");
        assertThat(origin.received().get(0).field("X-Forwarded-Proto")).isEqualTo("https");
    }
}
