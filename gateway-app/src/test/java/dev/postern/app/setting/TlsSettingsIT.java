package dev.postern.app.setting;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.postern.app.Gateway;
import dev.postern.app.config.read.ConfigReader;
import dev.postern.app.config.read.LoadedConfig;
import dev.postern.core.crypto.KeyRing;
import dev.postern.core.testing.BothTlsEngines;
import dev.postern.core.testing.FrameClient;
import dev.postern.core.testing.OcspVectors;
import dev.postern.core.testing.RawClient;
import dev.postern.core.testing.TestCertificate;
import dev.postern.core.tls.TlsEngine;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.UnaryOperator;
import javax.net.ssl.SNIHostName;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;

/** Tests the keys below {@code listeners[].tls}. */
@BothTlsEngines
class TlsSettingsIT {

    private static final String LISTENER = "listeners=[{name: web, address: \"127.0.0.1:0\", tls: {%s}}]";
    private static final String ONE = "certificates: [{certificate-file: tls.crt, private-key-file: tls.key}]";
    private static final String TWO = "certificates: [{certificate-file: tls.crt, private-key-file: tls.key},"
            + " {certificate-file: other.crt, private-key-file: other.key}]";

    @TempDir
    private static Path folder;

    private static SSLContext trusting;
    private static TestCertificate certificate;
    private static TestCertificate other;

    @BeforeAll
    static void certificates() {
        certificate = TestCertificate.ec(folder, "tls", "dns:localhost");
        other = TestCertificate.ec(folder, "other", "dns:other.example");
        trusting = TestCertificate.context(null, certificate, other);
    }

    @Parameter
    private TlsEngine.Kind engine;

    private String engine() {
        return "transport.tls-engine=" + engine.name().toLowerCase(Locale.ROOT);
    }

    private Site site(String tls) {
        return Site.in(folder, engine(), LISTENER.formatted(tls));
    }

    private static SSLSocket connect(Site site, SSLContext context) throws IOException {
        SSLSocket socket =
                (SSLSocket) context.getSocketFactory().createSocket(InetAddress.getLoopbackAddress(), site.port());
        socket.setSoTimeout(10_000);
        return socket;
    }

    private static String response(SSLSocket socket) throws IOException {
        socket.getOutputStream()
                .write(Site.request("GET", "/", "Connection: close").getBytes(US_ASCII));
        return new String(socket.getInputStream().readAllBytes(), US_ASCII);
    }

    private static String response(Site site, String version) throws IOException {
        try (SSLSocket socket = connect(site, trusting)) {
            socket.setEnabledProtocols(new String[] {version});
            return response(socket);
        }
    }

    @Test
    void servesWithItsCertificate() throws IOException {
        try (Site site = site("min-version: TLSv1.2, " + ONE)) {
            assertThat(response(site, "TLSv1.2")).startsWith("HTTP/1.1 200 ").endsWith("hello");
            assertThat(response(site, "TLSv1.3")).startsWith("HTTP/1.1 200 ").endsWith("hello");
            assertThat(site.origin.received().get(0).field("X-Forwarded-Proto")).isEqualTo("https");
        }
    }

    @Test
    void theEngineIsAsConfigured() throws IOException {
        try (Site site = site(ONE)) {
            assertThat(response(site, "TLSv1.3")).startsWith("HTTP/1.1 200 ");
            String expected = engine == TlsEngine.Kind.JDK
                    ? "\"found\":\"JDK\",\"verdict\":\"drift\""
                    : "\"found\":\"BoringSSL\",\"verdict\":\"ok\"";
            assertThat(site.context()).containsPattern("\"item\":\"tls.engine\",[^}]*" + expected);
        }
    }

    @Test
    void staplesTheResponseOfTheFile() {
        OcspVectors.write("chain.crt", folder, "chain.crt");
        OcspVectors.write("site.key", folder, "chain.key");
        OcspVectors.write("good.der", folder, "chain.der");
        String pair = "certificate-file: chain.crt, private-key-file: chain.key";
        byte[] authority = OcspVectors.bytes("ca.crt");
        try (Site site = site("certificates: [{" + pair + ", ocsp-file: chain.der}]")) {
            List<byte[]> stapled = OcspVectors.stapled(site.port(), "TLSv1.3", authority, "localhost");
            if (engine == TlsEngine.Kind.JDK) {
                assertThat(stapled).isEmpty();
            } else {
                assertThat(stapled).containsExactly(OcspVectors.bytes("good.der"));
            }
            site.apply(engine(), LISTENER.formatted("certificates: [{" + pair + "}]"));
            assertThat(OcspVectors.stapled(site.port(), "TLSv1.3", authority, "localhost"))
                    .isEmpty();
        }
    }

    /** Two gateways with the same ring, as behind a load balancer. */
    @Test
    void replicasResumeEachOthersSessions() throws IOException {
        Path ring = folder.resolve("ring-" + engine);
        Files.writeString(ring, KeyRing.newLine());
        Files.setPosixFilePermissions(ring, PosixFilePermissions.fromString("rw-------"));
        String secrets = "secrets.ring-file=" + ring;
        String listener = LISTENER.formatted(ONE);
        try (Site site = Site.in(folder, engine(), secrets, listener)) {
            // Java's clients look sessions up by port.
            String other = listener.replace("127.0.0.1:0", "127.0.0.2:" + site.port());
            try (Site replica = Site.in(folder, engine(), secrets, other)) {
                assertThat(begun("127.0.0.2", replica) == begun("127.0.0.1", site))
                        .isEqualTo(engine == TlsEngine.Kind.BORINGSSL);
            }
        }
    }

    /** Connects as to one site, whichever replica serves it; returns when the session began. */
    private static long begun(String address, Site replica) throws IOException {
        Socket plain = new Socket(address, replica.port());
        try (SSLSocket socket = (SSLSocket) trusting.getSocketFactory().createSocket(plain, "localhost", 443, true)) {
            assertThat(response(socket)).startsWith("HTTP/1.1 200 ");
            return socket.getSession().getCreationTime();
        } finally {
            long now = System.currentTimeMillis();
            await().until(() -> System.currentTimeMillis() > now);
        }
    }

    @Test
    void refusesVersionsBelowTheMinimum() throws IOException {
        try (Site site = site("min-version: TLSv1.3, " + ONE)) {
            assertThat(response(site, "TLSv1.3")).startsWith("HTTP/1.1 200 ");
            assertThatThrownBy(() -> response(site, "TLSv1.2")).isInstanceOf(SSLException.class);
        }
    }

    @Test
    void speaksTheNegotiatedProtocol() throws IOException {
        try (Site site = site(ONE)) {
            assertThat(negotiated(site, "h2", "http/1.1")).isEqualTo("h2 200");
            assertThat(negotiated(site, "http/1.1")).isEqualTo("http/1.1");
            assertThat(negotiated(site)).isEmpty();
            assertThat(site.origin.received())
                    .extracting(received -> received.field("X-Forwarded-Proto"))
                    .containsOnly("https");
        }
        try (Site site = Site.in(folder, engine(), LISTENER.formatted(ONE).replace("tls:", "protocols: [h1], tls:"))) {
            assertThat(negotiated(site, "h2", "http/1.1")).isEmpty();
        }
    }

    /** Returns the protocol of ALPN after an exchange; with {@code h2}, also the status of the exchange. */
    private static String negotiated(Site site, String... offered) throws IOException {
        try (SSLSocket socket =
                (SSLSocket) trusting.getSocketFactory().createSocket(InetAddress.getLoopbackAddress(), site.port())) {
            SSLParameters parameters = socket.getSSLParameters();
            parameters.setApplicationProtocols(offered);
            socket.setSSLParameters(parameters);
            socket.startHandshake();
            if (!socket.getApplicationProtocol().equals("h2")) {
                socket.getOutputStream()
                        .write(Site.request("GET", "/", "Connection: close").getBytes(US_ASCII));
                assertThat(new String(socket.getInputStream().readAllBytes(), US_ASCII))
                        .startsWith("HTTP/1.1 200 ");
                return socket.getApplicationProtocol();
            }
            FrameClient client = FrameClient.over(socket).greet();
            client.headers(1, true, ":method", "GET", ":scheme", "https", ":authority", "localhost", ":path", "/");
            client.headers(3, true, ":method", "GET", ":scheme", "http", ":authority", "localhost", ":path", "/");
            assertThat(client.response(3).status())
                    .as("a proxy passes on another scheme")
                    .isEqualTo("200");
            return "h2 " + client.response(1).status();
        }
    }

    @Test
    void showsTheCertificateOfTheName() throws IOException {
        for (boolean matched : new boolean[] {false, true}) {
            try (Site site = site(matched ? TWO : ONE);
                    SSLSocket socket = connect(site, TestCertificate.context(null, certificate, other))) {
                SSLParameters parameters = socket.getSSLParameters();
                parameters.setServerNames(List.of(new SNIHostName("other.example")));
                socket.setSSLParameters(parameters);
                assertThat(socket.getSession().getPeerCertificates()[0])
                        .isEqualTo(matched ? other.x509() : certificate.x509());
            }
        }
    }

    /** Replaces the files after the check of the configuration, as if the certificates had expired. */
    @Test
    void readinessNamesAnExpiredCertificate() {
        TestCertificate renewed = TestCertificate.ec(folder, "renewed-" + engine, "dns:shop.example");
        String pair = "certificates: [{certificate-file: renewed-%1$s.crt, private-key-file: renewed-%1$s.key}]"
                .formatted(engine);
        LoadedConfig config = new ConfigReader(
                        Map.of(),
                        List.of(
                                engine(),
                                LISTENER.formatted(pair),
                                "admin.address=127.0.0.1:0",
                                "upstreams=[{name: app, endpoints: [\"127.0.0.1:1\"], congestion-control: reno}]",
                                "routes=[{upstream: app, token: off}]"))
                .read("gateway.yaml", "", folder);
        assertThat(config.problems()).isEmpty();
        TestCertificate expired = TestCertificate.expired(folder, "expired-" + engine, "dns:shop.example");
        expired.replace(renewed);

        try (Gateway gateway = Gateway.start(config, UnaryOperator.identity(), line -> {});
                RawClient client = new RawClient(gateway.admin().getPort())) {
            RawClient.Response readiness = client.send("GET /readyz HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
                    .read();
            assertThat(readiness.status()).as("an expired certificate alone").isEqualTo(200);
            assertThat(readiness.body())
                    .contains(
                            "listener web: shop.example",
                            "expired at " + expired.x509().getNotAfter().toInstant());
        }
    }

    @Test
    void requiresClientCertificates() throws IOException {
        try (Site site = site("client-ca-file: other.crt, " + ONE)) {
            try (SSLSocket socket = connect(site, TestCertificate.context(other, certificate))) {
                assertThat(response(socket)).startsWith("HTTP/1.1 200 ");
            }
            assertThatThrownBy(() -> response(site, "TLSv1.3")).isInstanceOf(IOException.class);
        }
    }

    @Test
    void upstreamsGetTheIdentityOfTheClientCertificate() throws Exception {
        String headers = "routes=[{upstream: app, token: off, headers: {set: {X-Subject: '{client-cert-subject}',"
                + " X-Fingerprint: '{client-cert-fingerprint}'}}}]";
        String fingerprint = HexFormat.of()
                .formatHex(
                        MessageDigest.getInstance("SHA-256").digest(other.x509().getEncoded()));
        SSLContext client = TestCertificate.context(other, certificate);
        try (Site site = Site.in(folder, engine(), LISTENER.formatted("client-ca-file: other.crt, " + ONE), headers)) {
            for (String version : List.of("TLSv1.3", "TLSv1.3", "TLSv1.2", "TLSv1.2")) { // the second ones are resumed
                try (SSLSocket socket = connect(site, client)) {
                    socket.setEnabledProtocols(new String[] {version});
                    assertThat(response(socket)).startsWith("HTTP/1.1 200 ");
                }
            }
            assertThat(site.origin.received()).hasSize(4).allSatisfy(request -> {
                assertThat(request.field("X-Subject")).isEqualTo("CN=postern");
                assertThat(request.field("X-Fingerprint")).isEqualTo(fingerprint);
            });
        }
        try (Site site = Site.in(folder, engine(), LISTENER.formatted(ONE), headers)) {
            assertThat(response(site, "TLSv1.3")).startsWith("HTTP/1.1 200 ");
            assertThat(site.origin.received().get(0).field("X-Subject")).isEmpty();
        }
    }

    @Test
    void handshakesOfOneAddressAreLimited() throws IOException {
        try (Site site = Site.in(folder, engine(), LISTENER.formatted(ONE), "limits.handshakes-per-address=2/h")) {
            assertThat(response(site, "TLSv1.3")).startsWith("HTTP/1.1 200 ");
            assertThat(response(site, "TLSv1.3")).startsWith("HTTP/1.1 200 ");
            assertThatThrownBy(() -> response(site, "TLSv1.3")).isInstanceOf(IOException.class);
            site.awaitMeter("postern_connections_closed_total{reason=\"handshakes\"} 1.0");
        }
    }

    @Test
    void reportsInvalidFiles() {
        String problems = new ConfigReader(
                        Map.of(),
                        List.of(
                                LISTENER.formatted("client-ca-file: tls.key, certificates:"
                                        + " [{certificate-file: tls.crt, private-key-file: other.key}]"),
                                "upstreams=[{name: app, endpoints: [\"127.0.0.1:1\"], tls: {ca-file: tls.key}}]",
                                "routes=[{upstream: app, token: off}]"))
                .read("gateway.yaml", "", folder)
                .problems()
                .toString();
        assertThat(problems)
                .contains(
                        "listeners.0.tls.certificates.0: ", "(expected: the key of the first certificate in its chain)")
                .contains("listeners.0.tls.client-ca-file: ", "upstreams.0.tls.ca-file: ")
                .contains("(expected: certificates in PEM)");
    }
}
