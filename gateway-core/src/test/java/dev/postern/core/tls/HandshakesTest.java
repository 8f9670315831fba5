package dev.postern.core.tls;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postern.core.testing.BothTlsEngines;
import dev.postern.core.testing.LeakExtension;
import dev.postern.core.testing.MemoryGateway;
import dev.postern.core.testing.TestCertificate;
import dev.postern.core.testing.TestTls;
import dev.postern.core.tls.certificate.KeyPairFiles;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the TLS versions and cipher suites of listeners. */
@BothTlsEngines
@ExtendWith(LeakExtension.class)
class HandshakesTest {

    @Parameter
    private TlsEngine.Kind engine;

    @TempDir
    private static Path folder;

    private static TestCertificate site;

    private final MemoryGateway gateway = new MemoryGateway();

    @BeforeAll
    static void certificate() {
        site = TestCertificate.rsa(folder, "site", "dns:localhost");
    }

    @BeforeEach
    void serve() {
        gateway.origin();
    }

    @AfterEach
    void close() {
        gateway.close();
    }

    private SSLSocket connect(String version) throws IOException {
        ServerTls tls = new ServerTls(
                TestTls.environment(engine),
                new ServerTls.Settings(List.of(new KeyPairFiles(site.certificate(), site.key())), null, "TLSv1.2"),
                List.of(),
                Duration.ofSeconds(5));
        SSLSocket socket = TestTls.over(gateway.connect(gateway.listen(tls)), TestCertificate.context(null, site));
        socket.setEnabledProtocols(new String[] {version});
        return socket;
    }

    private static String response(SSLSocket socket) throws IOException {
        socket.getOutputStream().write("GET / HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n".getBytes(US_ASCII));
        return new String(socket.getInputStream().readAllBytes(), US_ASCII);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256",
                "TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384",
                "TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256",
            })
    void acceptsForwardSecrecyWithAeadOverTls12(String suite) throws IOException {
        try (SSLSocket socket = connect("TLSv1.2")) {
            socket.setEnabledCipherSuites(new String[] {suite});

            assertThat(response(socket)).startsWith("HTTP/1.1 200 ");
            assertThat(socket.getSession().getCipherSuite()).isEqualTo(suite);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "TLS_ECDHE_RSA_WITH_AES_128_CBC_SHA",
                "TLS_ECDHE_RSA_WITH_AES_256_CBC_SHA384",
                "TLS_DHE_RSA_WITH_AES_128_GCM_SHA256",
                "TLS_RSA_WITH_AES_128_GCM_SHA256",
                "TLS_RSA_WITH_AES_256_CBC_SHA",
            })
    void refusesOtherSuitesOverTls12(String suite) throws IOException {
        try (SSLSocket socket = connect("TLSv1.2")) {
            socket.setEnabledCipherSuites(new String[] {suite});

            assertThatThrownBy(socket::startHandshake).isInstanceOf(SSLException.class);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "TLS_AES_128_GCM_SHA256",
                "TLS_AES_256_GCM_SHA384",
                "TLS_CHACHA20_POLY1305_SHA256",
            })
    void acceptsAllSuitesOfTls13(String suite) throws IOException {
        try (SSLSocket socket = connect("TLSv1.3")) {
            socket.setEnabledCipherSuites(new String[] {suite});

            assertThat(response(socket)).startsWith("HTTP/1.1 200 ");
            assertThat(socket.getSession().getCipherSuite()).isEqualTo(suite);
        }
    }

    @Test
    void refusesRenegotiationByClients() throws IOException {
        try (SSLSocket socket = connect("TLSv1.2")) {
            assertThat(serves(socket)).isTrue();

            socket.startHandshake(); // sends another ClientHello; its effect appears with the next response

            assertThatThrownBy(() -> assertThat(serves(socket)).isTrue())
                    .isInstanceOfAny(IOException.class, AssertionError.class);
        }
        assertThat(gateway.ended()).hasSize(1);
    }

    private static boolean serves(SSLSocket socket) throws IOException {
        socket.getOutputStream().write("GET / HTTP/1.1\r\nHost: h\r\n\r\n".getBytes(US_ASCII));
        byte[] some = new byte[4096];
        return socket.getInputStream().read(some) > 0;
    }
}
