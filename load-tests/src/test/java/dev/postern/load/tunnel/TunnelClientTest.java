package dev.postern.load.tunnel;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postern.load.tunnel.TunnelClient.TunnelRefusedException;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TunnelClientTest {
    private static final String OPENED = "HTTP/1.1 101 Switching Protocols\r\nUpgrade: connect-udp\r\n\r\n";

    private final ExecutorService thread = Executors.newSingleThreadExecutor();
    private ServerSocket proxy;
    private TunnelClient client;

    @BeforeEach
    void listen() throws IOException {
        proxy = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        client = new TunnelClient(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), proxy.getLocalPort()),
                "PrivateToken token=\"abc\"");
    }

    @AfterEach
    void close() throws IOException {
        proxy.close();
        thread.shutdownNow();
    }

    @ParameterizedTest
    @CsvSource({"site.example, site.example:443", "2001:db8::42, [2001:db8::42]:443"})
    void asksForTcpDestinationWithToken(String host, String authority) throws Exception {
        Future<String> request = respond("HTTP/1.1 200 OK\r\n\r\nhello");
        try (Socket socket = client.tcp(host, 443)) {
            assertThat(socket.getInputStream().readAllBytes()).asString().isEqualTo("hello");
        }

        assertThat(request.get())
                .isEqualTo("CONNECT " + authority + " HTTP/1.1\r\nHost: " + authority
                        + "\r\nProxy-Authorization: PrivateToken token=\"abc\"\r\n\r\n");
    }

    @ParameterizedTest
    @CsvSource({"site.example, site.example", "2001:db8::42, 2001%3Adb8%3A%3A42"})
    void asksForUdpDestinationAtTheDefaultTemplate(String host, String encoded) throws Exception {
        Future<String> request = respond(OPENED);
        client.udp(host, 443).close();

        assertThat(request.get())
                .startsWith("GET /.well-known/masque/udp/" + encoded + "/443/ HTTP/1.1\r\n")
                .contains(
                        "\r\nConnection: Upgrade\r\n", "\r\nUpgrade: connect-udp\r\n", "\r\nCapsule-Protocol: ?1\r\n");
    }

    @Test
    void sendsNoAuthorizationWithoutOne() throws Exception {
        Future<String> request = respond("HTTP/1.1 200 OK\r\n\r\n");
        new TunnelClient(client.proxy(), null).tcp("site.example", 443).close();

        assertThat(request.get()).doesNotContain("Authorization");
    }

    @Test
    void reportsTheResponseThatOpensNoTunnel() {
        respond("HTTP/1.1 407 Proxy Authentication Required\r\nContent-Length: 0\r\n\r\n");

        assertThatThrownBy(() -> client.tcp("site.example", 443))
                .isInstanceOf(TunnelRefusedException.class)
                .hasMessageContaining("407 Proxy Authentication Required");
    }

    @Test
    void reportsConnectionThatEndsWithinTheHead() {
        respond("HTTP/1.1 200");

        assertThatThrownBy(() -> client.tcp("site.example", 443))
                .hasMessageContaining("12 bytes without an end of the head");
    }

    @Test
    void opensNoUdpTunnelWithAnotherSuccess() {
        respond("HTTP/1.1 200 OK\r\n\r\n");

        assertThatThrownBy(() -> client.udp("site.example", 443)).isInstanceOf(TunnelRefusedException.class);
    }

    @Test
    void receivesPayloadsOfContextZeroOnly() throws Exception {
        respond(OPENED
                + "\0\3\0ab" // a payload
                + "\0\3\1xy" // another context
                + ")\2xy" // another type of capsule
                + "\0\1\0" // an empty payload
                + "@\0\u0080\0\0\4@\0cd"); // integers that are longer than need be
        try (UdpTunnel tunnel = client.udp("site.example", 443)) {
            assertThat(tunnel.receive()).asString().isEqualTo("ab");
            assertThat(tunnel.receive()).isEmpty();
            assertThat(tunnel.receive()).asString().isEqualTo("cd");
            assertThatThrownBy(tunnel::receive).isInstanceOf(EOFException.class);
        }
    }

    @Test
    void refusesCapsuleThatIsTooLong() throws Exception {
        respond(OPENED + "\0\u0080\1\0\0");
        try (UdpTunnel tunnel = client.udp("site.example", 443)) {
            assertThatThrownBy(tunnel::receive).hasMessage("datagram capsule: 65536 bytes (expected: at most 65535)");
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 62, 63, 16_382, 16_383, UdpTunnel.MAX_PAYLOAD})
    void sendsEveryLengthAsItWouldReceiveIt(int length) throws Exception {
        byte[] payload = new byte[length];
        Future<?> echo = thread.submit(() -> {
            try (Socket socket = proxy.accept()) {
                readHead(socket);
                socket.getOutputStream().write(OPENED.getBytes(ISO_8859_1));
                socket.getInputStream().transferTo(socket.getOutputStream());
            }
            return null;
        });
        try (UdpTunnel tunnel = client.udp("site.example", 443)) {
            tunnel.send(payload);

            assertThat(tunnel.receive()).isEqualTo(payload);
        }
        echo.get();
    }

    @Test
    void refusesToSendMoreThanUdpCarries() throws Exception {
        respond(OPENED);
        try (UdpTunnel tunnel = client.udp("site.example", 443)) {
            assertThatThrownBy(() -> tunnel.send(new byte[UdpTunnel.MAX_PAYLOAD + 1]))
                    .hasMessage("payload: 65528 bytes (expected: at most 65527)");
        }
    }

    /** Responds to one request, and closes the connection; returns the head of the request. */
    private Future<String> respond(String response) {
        return thread.submit(() -> {
            try (Socket socket = proxy.accept()) {
                String head = readHead(socket);
                socket.getOutputStream().write(response.getBytes(ISO_8859_1));
                return head;
            }
        });
    }

    private static String readHead(Socket socket) throws IOException {
        StringBuilder head = new StringBuilder();
        while (head.indexOf("\r\n\r\n") < 0) {
            head.append((char) socket.getInputStream().read());
        }
        return head.toString();
    }
}
