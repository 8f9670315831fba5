package dev.postern.app.setting;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postern.core.testing.BothTlsEngines;
import dev.postern.core.testing.OcspVectors;
import dev.postern.core.testing.RawClient;
import dev.postern.core.testing.TestCertificate;
import dev.postern.core.tls.TlsEngine;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;

/** Tests the keys below {@code admin.tls}. */
@BothTlsEngines
class AdminTlsIT {

    private static final String ONE = "certificates: [{certificate-file: tls.crt, private-key-file: tls.key}]";

    @TempDir
    private static Path folder;

    private static SSLContext trusting;
    private static TestCertificate certificate;
    private static TestCertificate other;

    @BeforeAll
    static void certificates() {
        certificate = TestCertificate.ec(folder, "tls", "dns:localhost", "ip:127.0.0.1");
        other = TestCertificate.ec(folder, "other", "dns:other.example");
        trusting = TestCertificate.context(null, certificate);
    }

    @Parameter
    private TlsEngine.Kind engine;

    private Site site(String tls) {
        return Site.in(
                folder,
                "transport.tls-engine=" + engine.name().toLowerCase(Locale.ROOT),
                "admin.probes-address=127.0.0.1:0",
                "admin.tls={" + tls + "}");
    }

    private static int port(Site site) {
        return site.gateway().admin().getPort();
    }

    private static String response(Site site, SSLContext context, String version) throws IOException {
        try (SSLSocket socket = (SSLSocket) context.getSocketFactory().createSocket("127.0.0.1", port(site))) {
            socket.setSoTimeout(10_000);
            socket.setEnabledProtocols(new String[] {version});
            socket.getOutputStream()
                    .write("GET /livez HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n".getBytes(US_ASCII));
            return new String(socket.getInputStream().readAllBytes(), US_ASCII);
        }
    }

    @Test
    void servesWithItsCertificate() throws IOException {
        try (Site site = site(ONE)) {
            for (String version : List.of("TLSv1.2", "TLSv1.3")) {
                assertThat(response(site, trusting, version))
                        .startsWith("HTTP/1.1 200 ")
                        .endsWith("live\n");
            }
            try (RawClient probes = new RawClient(site.gateway().probes().getPort())) {
                assertThat(probes.send("GET /readyz HTTP/1.0\r\n\r\n").read().status())
                        .as("probes are without TLS")
                        .isEqualTo(200);
            }
        }
    }

    @Test
    void refusesVersionsBelowTheMinimum() throws IOException {
        try (Site site = site("min-version: TLSv1.3, " + ONE)) {
            assertThat(response(site, trusting, "TLSv1.3")).startsWith("HTTP/1.1 200 ");
            assertThatThrownBy(() -> response(site, trusting, "TLSv1.2")).isInstanceOf(SSLException.class);
        }
    }

    @Test
    void requiresClientCertificates() throws IOException {
        try (Site site = site("client-ca-file: other.crt, " + ONE)) {
            assertThat(response(site, TestCertificate.context(other, certificate), "TLSv1.3"))
                    .startsWith("HTTP/1.1 200 ");
            assertThat(withoutCertificate(site)).isEmpty();
        }
    }

    /** Returns the response; empty also where the alert arrives as a reset, or only after the end of the stream. */
    private static String withoutCertificate(Site site) {
        try {
            return response(site, trusting, "TLSv1.3");
        } catch (IOException e) {
            return "";
        }
    }

    @Test
    void staplesTheResponseOfTheFile() {
        OcspVectors.write("chain.crt", folder, "chain.crt");
        OcspVectors.write("site.key", folder, "chain.key");
        OcspVectors.write("good.der", folder, "chain.der");
        byte[] authority = OcspVectors.bytes("ca.crt");
        String pair = "certificate-file: chain.crt, private-key-file: chain.key, ocsp-file: chain.der";
        try (Site site = site("certificates: [{" + pair + "}]")) {
            List<byte[]> stapled = OcspVectors.stapled(port(site), "TLSv1.3", authority, "localhost");
            if (engine == TlsEngine.Kind.JDK) {
                assertThat(stapled).isEmpty();
            } else {
                assertThat(stapled).containsExactly(OcspVectors.bytes("good.der"));
            }
        }
    }
}
