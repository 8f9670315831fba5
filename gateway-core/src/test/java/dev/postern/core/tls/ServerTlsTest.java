package dev.postern.core.tls;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postern.core.connection.CloseReasonMetrics.Why;
import dev.postern.core.server.MemoryListener;
import dev.postern.core.testing.BothTlsEngines;
import dev.postern.core.testing.LeakExtension;
import dev.postern.core.testing.MemoryGateway;
import dev.postern.core.testing.MemoryOrigin;
import dev.postern.core.testing.RawClient;
import dev.postern.core.testing.TestCertificate;
import dev.postern.core.testing.TestTls;
import dev.postern.core.tls.certificate.CertificateExpiry;
import dev.postern.core.tls.certificate.KeyPairFiles;
import dev.postern.core.tls.certificate.PemChecks;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import javax.net.ssl.SNIHostName;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSession;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests certificates of a listener from the client's side. */
@BothTlsEngines
@ExtendWith(LeakExtension.class)
class ServerTlsTest {

    @Parameter
    private TlsEngine.Kind engine;

    @TempDir
    private static Path folder;

    private static TestCertificate first;
    private static TestCertificate wild;
    private static TestCertificate exact;
    private static TestCertificate rsa;
    private static TestCertificate client;

    private final MemoryGateway gateway = new MemoryGateway();
    private final MemoryOrigin origin = gateway.origin();

    @BeforeAll
    static void certificates() {
        first = TestCertificate.ec(folder, "first", "dns:first.example");
        wild = TestCertificate.ec(folder, "wild", "dns:*.shop.example");
        exact = TestCertificate.ec(folder, "exact", "dns:www.shop.example");
        rsa = TestCertificate.rsa(folder, "rsa", "dns:www.shop.example");
        client = TestCertificate.ec(folder, "client", "dns:client.example");
    }

    @AfterEach
    void close() {
        gateway.close();
    }

    private static KeyPairFiles files(TestCertificate certificate) {
        return new KeyPairFiles(certificate.certificate(), certificate.key());
    }

    private ServerTls tls(TestCertificate... certificates) {
        return new ServerTls(
                TestTls.environment(engine),
                new ServerTls.Settings(
                        Arrays.stream(certificates).map(ServerTlsTest::files).toList(), null, "TLSv1.2"),
                List.of(),
                Duration.ofSeconds(5));
    }

    private SSLSocket connect(MemoryListener listener, SSLContext context, String name, String... protocols)
            throws IOException {
        SSLSocket socket = TestTls.over(gateway.connect(listener), context);
        if (protocols.length > 0) {
            socket.setEnabledProtocols(protocols);
        }
        SSLParameters parameters = socket.getSSLParameters();
        parameters.setServerNames(name.isEmpty() ? List.of() : List.of(new SNIHostName(name)));
        socket.setSSLParameters(parameters);
        return socket;
    }

    private String shown(MemoryListener listener, SSLContext context, String name, String... protocols)
            throws IOException {
        try (SSLSocket socket = connect(listener, context, name, protocols)) {
            java.security.cert.Certificate leaf = socket.getSession().getPeerCertificates()[0];
            for (TestCertificate one : List.of(first, wild, exact, rsa)) {
                if (one.x509().equals(leaf)) {
                    return one.certificate().getFileName().toString().replace(".crt", "");
                }
            }
            return "another";
        }
    }

    private static String response(SSLSocket socket) throws IOException {
        socket.getOutputStream().write("GET / HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n".getBytes(US_ASCII));
        return new String(socket.getInputStream().readAllBytes(), US_ASCII);
    }

    @ParameterizedTest
    @CsvSource({
        "www.shop.example, exact",
        "WWW.SHOP.EXAMPLE, exact",
        "api.shop.example, wild",
        "first.example, first",
        "a.b.shop.example, first",
        "nowhere.example, first",
        "'', first",
    })
    void showsTheCertificateOfTheRequestedName(String name, String expected) throws IOException {
        MemoryListener listener = gateway.listen(tls(first, wild, exact));
        SSLContext context = TestCertificate.context(null, first, wild, exact);
        assertThat(shown(listener, context, name, "TLSv1.3")).isEqualTo(expected);
        assertThat(shown(listener, context, name, "TLSv1.2")).isEqualTo(expected);
    }

    @Test
    void showsTheKeyTypeThatTheClientSupports() throws IOException {
        MemoryListener listener = gateway.listen(tls(first, exact, rsa));
        SSLContext context = TestCertificate.context(null, exact, rsa);
        try (SSLSocket socket = connect(listener, context, "www.shop.example", "TLSv1.2")) {
            socket.setEnabledCipherSuites(new String[] {"TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256"});
            assertThat(socket.getSession().getPeerCertificates()[0]).isEqualTo(rsa.x509());
        }
        try (SSLSocket socket = connect(listener, context, "www.shop.example", "TLSv1.2")) {
            socket.setEnabledCipherSuites(new String[] {"TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256"});
            assertThat(socket.getSession().getPeerCertificates()[0]).isEqualTo(exact.x509());
        }
    }

    @Test
    void requestsClientCertificatesWhenConfigured() throws IOException {
        MemoryListener listener = gateway.listen(new ServerTls(
                TestTls.environment(engine),
                new ServerTls.Settings(List.of(files(first)), client.certificate(), "TLSv1.2"),
                List.of(),
                Duration.ofSeconds(5)));
        for (String version : List.of("TLSv1.3", "TLSv1.2")) {
            try (SSLSocket socket = connect(listener, TestCertificate.context(client, first), "", version)) {
                assertThat(response(socket)).as(version).startsWith("HTTP/1.1 200 ");
            }
            assertThatThrownBy(() -> response(connect(listener, TestCertificate.context(null, first), "", version)))
                    .as(version)
                    .isInstanceOf(IOException.class);
            assertThatThrownBy(() -> response(connect(listener, TestCertificate.context(wild, first), "", version)))
                    .as(version)
                    .isInstanceOf(IOException.class);
        }
        assertThat(gateway.metrics().closed(Why.HANDSHAKE)).isEqualTo(4);
        assertThat(origin.received()).hasSize(2);
    }

    @Test
    void closesHandshakesThatTakeTooLong() {
        MemoryListener listener = gateway.listen(new ServerTls(
                TestTls.environment(engine),
                new ServerTls.Settings(List.of(files(first)), null, "TLSv1.2"),
                List.of(),
                Duration.ofSeconds(5)));
        try (RawClient silent = RawClient.over(gateway.connect(listener));
                RawClient other = RawClient.over(gateway.connect(listener))) {
            other.send("\u0001 is no record of TLS, nor the begin of a method");
            assertThat(gateway.metrics().closed(Why.HANDSHAKE)).isEqualTo(1);
            assertThat(silent.closedByPeer()).isFalse();
            gateway.pass(Duration.ofSeconds(5));
            assertThat(silent.closedByPeer()).isTrue();
            assertThat(gateway.metrics().closed(Why.HANDSHAKE)).isEqualTo(2);
        }
        assertThat(gateway.ended()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"TLSv1.2", "TLSv1.3"})
    void resumesSessionsOfItsClients(String version) throws IOException {
        MemoryListener listener = gateway.listen(tls(first));
        SSLContext context = TestCertificate.context(null, first);
        for (int i = 0; i < 3; i++) {
            try (SSLSocket socket = connect(listener, context, "first.example", version)) {
                assertThat(response(socket)).startsWith("HTTP/1.1 200 "); // tickets follow the handshake
                SSLSession session = socket.getSession();
                assertThat(session.getValue("begun")).isEqualTo(i == 0 ? null : true);
                session.putValue("begun", true);
            }
        }
    }

    @Test
    void reloadsChangedFiles() throws Exception {
        TestCertificate mine = TestCertificate.ec(Files.createTempDirectory(folder, "mine"), "tls", "dns:a.example");
        ServerTls tls = tls(mine);
        MemoryListener listener = gateway.listen(tls);
        SSLContext old = TestCertificate.context(null, mine);
        SSLContext renewed = TestCertificate.context(null, exact);
        try (SSLSocket connection = connect(listener, old, "")) {
            connection.startHandshake();
            assertThat(tls.refresh()).isEqualTo(ServerTls.Refresh.SAME);
            exact.replace(mine);
            assertThat(tls.refresh()).isEqualTo(ServerTls.Refresh.RENEWED);
            assertThat(shown(listener, renewed, "")).isEqualTo("exact");
            assertThatThrownBy(() -> shown(listener, old, "")).isInstanceOf(SSLException.class);
            assertThat(response(connection)).startsWith("HTTP/1.1 200 "); // open connections continue
        }
        assertThat(tls.refresh()).isEqualTo(ServerTls.Refresh.SAME);
    }

    @Test
    void keepsTheCertificateWhenTheFilesDoNotMatch() throws Exception {
        TestCertificate mine = TestCertificate.ec(Files.createTempDirectory(folder, "half"), "tls", "dns:a.example");
        ServerTls tls = tls(mine);
        MemoryListener listener = gateway.listen(tls);
        SSLContext old = TestCertificate.context(null, mine);
        Files.copy(exact.certificate(), mine.certificate(), java.nio.file.StandardCopyOption.REPLACE_EXISTING);
        assertThatThrownBy(tls::refresh)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("tls.crt (expected: the key of the first certificate in its chain)");
        assertThat(tls.refresh()).isEqualTo(ServerTls.Refresh.SAME); // logged once
        assertThat(shown(listener, old, "")).isEqualTo("another");
        Files.copy(exact.key(), mine.key(), java.nio.file.StandardCopyOption.REPLACE_EXISTING);
        assertThat(tls.refresh()).isEqualTo(ServerTls.Refresh.RENEWED);
        assertThat(shown(listener, TestCertificate.context(null, exact), "")).isEqualTo("exact");
    }

    @Test
    void countsReloadsAndReportsExpiry() throws Exception {
        TestCertificate mine = TestCertificate.ec(Files.createTempDirectory(folder, "watch"), "tls", "dns:a.example");
        ServerTls tls = tls(mine);
        MemoryListener listener = gateway.listen(tls);
        SimpleMeterRegistry registry = new SimpleMeterRegistry();
        try (CertificateReloader reloader = new CertificateReloader(
                Duration.ofDays(1), registry, new CertificateExpiry(InstantSource.system(), registry))) {
            reloader.add("web", tls);
            assertThat(left(registry, "a.example")).isBetween(29 * 86_400.0, 30 * 86_400.0);
            Files.delete(mine.key());
            reloader.check();
            reloader.check();
            assertThat(count(registry, "failed")).as("not at every check").isEqualTo(1);
            exact.replace(mine);
            reloader.check();
            assertThat(count(registry, "renewed")).isEqualTo(1);
            assertThat(shown(listener, TestCertificate.context(null, exact), ""))
                    .isEqualTo("exact");
            assertThat(left(registry, "www.shop.example")).isBetween(29 * 86_400.0, 30 * 86_400.0);
            assertThat(registry.find("postern.tls.certificate.expiry").gauges()).hasSize(1);
            reloader.only(Map.of(), Map.of());
            assertThat(registry.find("postern.tls.certificate.expiry").gauges()).isEmpty();
        }
    }

    private static double left(SimpleMeterRegistry registry, String name) {
        return registry.get("postern.tls.certificate.expiry")
                .tags("listener", "web", "name", name)
                .gauge()
                .value();
    }

    private static double count(SimpleMeterRegistry registry, String result) {
        return registry.get("postern.certificates")
                .tags("listener", "web", "result", result)
                .functionCounter()
                .count();
    }

    @Test
    void namesTheFaultOfFiles() throws Exception {
        assertThatThrownBy(() -> new ServerTls(
                        TestTls.environment(engine),
                        new ServerTls.Settings(
                                List.of(new KeyPairFiles(first.certificate(), exact.key())), null, "TLSv1.2"),
                        List.of(),
                        Duration.ofSeconds(5)))
                .hasMessageContaining("first.crt (expected: the key of");
        assertThatThrownBy(() -> PemChecks.pair(first.certificate(), rsa.key())).hasMessageContaining("the key of");
        assertThatThrownBy(() -> PemChecks.pair(first.key(), first.key())).hasMessageContaining("certificates in PEM");
        assertThatThrownBy(() -> PemChecks.pair(first.certificate(), first.certificate()))
                .hasMessageContaining("a private key in PEM");
        assertThatThrownBy(() -> PemChecks.authorities(first.key())).hasMessageContaining("certificates in PEM");
        PemChecks.pair(first.certificate(), first.key());
        PemChecks.pair(rsa.certificate(), rsa.key());
        PemChecks.authorities(first.certificate());
    }
}
