package dev.postern.core.connection;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postern.core.server.MemoryListener;
import dev.postern.core.testing.BothTlsEngines;
import dev.postern.core.testing.LeakExtension;
import dev.postern.core.testing.MemoryGateway;
import dev.postern.core.testing.MemoryOrigin;
import dev.postern.core.testing.RawClient;
import dev.postern.core.testing.TestCertificate;
import dev.postern.core.testing.TestTls;
import dev.postern.core.tls.ServerTls;
import dev.postern.core.tls.TlsEngine;
import dev.postern.core.tls.certificate.KeyPairFiles;
import java.io.IOException;
import java.net.Socket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests clients that speak another protocol than the port expects: they get a readable error, and a metric counts them by protocol. */
@BothTlsEngines
@ExtendWith(LeakExtension.class)
class WrongProtocolOverTlsTest {

    @Parameter
    private TlsEngine.Kind engine;

    private static final String LINE = "PROXY TCP4 192.0.2.1 198.51.100.1 56324 443\r\n";
    private static final String BLOCK =
            new String(HexFormat.of().parseHex("0d0a0d0a000d0a515549540a2111000cc0000201c6336401dc0401bb"), ISO_8859_1);
    private static final String GET = "GET / HTTP/1.1\r\nHost: h\r\n\r\n";

    @TempDir
    private Path folder;

    private final MemoryGateway gateway = new MemoryGateway();
    private final MemoryOrigin origin = gateway.origin();

    @AfterEach
    void close() {
        gateway.close();
    }

    private MemoryListener tlsListener() {
        TestCertificate certificate = TestCertificate.ec(folder, "site", "dns:localhost");
        return gateway.listen(new ServerTls(
                TestTls.environment(engine),
                new ServerTls.Settings(
                        List.of(new KeyPairFiles(certificate.certificate(), certificate.key())), null, "TLSv1.2"),
                List.of(),
                Duration.ofSeconds(5)));
    }

    private void assertCounted(String reason) {
        for (String one : List.of("tls-hello", "clear-text", "proxy-header", "handshake")) {
            assertThat(gateway.count("postern.connections.closed", "reason", one))
                    .as(one)
                    .isEqualTo(one.equals(reason) ? 1 : 0);
        }
        assertThat(origin.received()).isEmpty();
    }

    @Test
    void aTlsClientOnAPortOfClearText() throws Exception {
        try (SSLSocket client = TestTls.over(gateway.connect(gateway.reverse()), SSLContext.getDefault())) {
            assertThatThrownBy(client::startHandshake).isInstanceOf(SSLException.class);
        }
        assertCounted("tls-hello");
        assertThat(gateway.ended().get(0).outcome().reason()).isEqualTo("tls-hello");
    }

    @Test
    void clearTextOnAPortOfTls() {
        try (RawClient client = RawClient.over(gateway.connect(tlsListener()))) {
            RawClient.Response response = client.send(GET).read();
            assertThat(response.status()).isEqualTo(400);
            assertThat(response.field("Connection")).isEqualTo("close");
            assertThat(response.field("Content-Type")).isEqualTo("application/problem+json");
            assertThat(response.body()).contains("\"code\":\"request-malformed\"", "https://");
            assertThat(client.closedByPeer()).isTrue();
        }
        assertCounted("clear-text");
    }

    @Test
    void clearTextThatArrivesByteByByte() {
        try (RawClient client = RawClient.over(gateway.connect(tlsListener()))) {
            client.send("P");
            client.send("OST / HTTP/1.1\r\nHost: h\r\n");
            assertThat(client.read().status()).isEqualTo(400);
        }
        assertCounted("clear-text");
    }

    @ParameterizedTest
    @ValueSource(strings = {"line", "block"})
    void aProxyHeaderInFrontOfTls(String kind) throws IOException {
        try (Socket client = gateway.connect(tlsListener())) {
            client.getOutputStream().write((kind.equals("line") ? LINE : BLOCK).getBytes(ISO_8859_1));
            assertThat(client.getInputStream().readAllBytes()).isEmpty();
        }
        assertCounted("proxy-header");
    }

    @Test
    void otherBytesCountAsAFailedHandshake() throws IOException {
        try (Socket client = gateway.connect(tlsListener())) {
            client.getOutputStream().write(new byte[] {1, 2, 3, 4, 5, 6, 7, 8});
            client.getInputStream().readAllBytes();
        }
        assertCounted("handshake");
    }
}
