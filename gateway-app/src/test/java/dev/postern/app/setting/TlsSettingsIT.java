package dev.postern.app.setting;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postern.core.testing.FrameClient;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.Base64;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Keys below {@code listeners[].tls}. */
class TlsSettingsIT {

    private static final char[] PASSWORD = "changeit".toCharArray();
    private static final String LISTENER = "listeners=[{name: web, address: \"127.0.0.1:0\", tls: {min-version: %s,"
            + " certificates: [{certificate-file: tls.crt, private-key-file: tls.key}]}}]";

    @TempDir
    private static Path folder;

    private static SSLContext trusting;

    @BeforeAll
    static void certificate() throws IOException, GeneralSecurityException, InterruptedException {
        Path store = folder.resolve("store.p12");
        int made = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "keytool")
                                .toString(),
                        "-genkeypair",
                        "-alias",
                        "site",
                        "-keyalg",
                        "EC",
                        "-dname",
                        "CN=localhost",
                        "-ext",
                        "SAN=dns:localhost",
                        "-storetype",
                        "PKCS12",
                        "-storepass",
                        new String(PASSWORD),
                        "-keystore",
                        store.toString())
                .inheritIO()
                .start()
                .waitFor();
        assertThat(made).isZero();
        KeyStore keys = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(store)) {
            keys.load(in, PASSWORD);
        }
        pem("tls.crt", "CERTIFICATE", keys.getCertificate("site").getEncoded());
        pem("tls.key", "PRIVATE KEY", keys.getKey("site", PASSWORD).getEncoded());
        KeyStore trust = KeyStore.getInstance("PKCS12");
        trust.load(null, null);
        trust.setCertificateEntry("site", keys.getCertificate("site"));
        TrustManagerFactory managers = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        managers.init(trust);
        trusting = SSLContext.getInstance("TLS");
        trusting.init(null, managers.getTrustManagers(), null);
    }

    private static void pem(String file, String label, byte[] content) throws IOException {
        String base64 = Base64.getMimeEncoder(64, "\n".getBytes(US_ASCII)).encodeToString(content);
        Files.writeString(
                folder.resolve(file), "-----BEGIN " + label + "-----\n" + base64 + "\n-----END " + label + "-----\n");
    }

    private static String answer(Site site, String version) throws IOException {
        try (SSLSocket socket =
                (SSLSocket) trusting.getSocketFactory().createSocket(InetAddress.getLoopbackAddress(), site.port())) {
            socket.setSoTimeout(10_000);
            socket.setEnabledProtocols(new String[] {version});
            socket.getOutputStream()
                    .write(Site.request("GET", "/", "Connection: close").getBytes(US_ASCII));
            return new String(socket.getInputStream().readAllBytes(), US_ASCII);
        }
    }

    @Test
    void servesWithItsCertificate() throws IOException {
        try (Site site = Site.in(folder, LISTENER.formatted("TLSv1.2"))) {
            assertThat(answer(site, "TLSv1.2")).startsWith("HTTP/1.1 200 ").endsWith("hello");
            assertThat(answer(site, "TLSv1.3")).startsWith("HTTP/1.1 200 ").endsWith("hello");
            assertThat(site.origin.received().get(0).field("X-Forwarded-Proto")).isEqualTo("https");
        }
    }

    @Test
    void refusesVersionsBelowTheLeast() throws IOException {
        try (Site site = Site.in(folder, LISTENER.formatted("TLSv1.3"))) {
            assertThat(answer(site, "TLSv1.3")).startsWith("HTTP/1.1 200 ");
            assertThatThrownBy(() -> answer(site, "TLSv1.2")).isInstanceOf(SSLException.class);
        }
    }

    @Test
    void speaksWhatIsNegotiated() throws IOException {
        try (Site site = Site.in(folder, LISTENER.formatted("TLSv1.2"))) {
            assertThat(negotiated(site, "h2", "http/1.1")).isEqualTo("h2 200");
            assertThat(negotiated(site, "http/1.1")).isEqualTo("http/1.1");
            assertThat(negotiated(site)).isEmpty();
            assertThat(site.origin.received().get(0).field("X-Forwarded-Proto")).isEqualTo("https");
        }
        try (Site site = Site.in(folder, LISTENER.formatted("TLSv1.2").replace("tls:", "protocols: [h1], tls:"))) {
            assertThat(negotiated(site, "h2", "http/1.1")).isEmpty();
        }
    }

    /** What ALPN says; over h2 with the status of an exchange, else after one over HTTP/1.1 that succeeded. */
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
            return "h2 " + client.answer(1).status();
        }
    }
}
