package dev.postern.app.cli;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.math.BigInteger;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.Date;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import javax.security.auth.x500.X500Principal;
import org.bouncycastle.asn1.x509.BasicConstraints;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.cert.jcajce.JcaX509CertificateConverter;
import org.bouncycastle.cert.jcajce.JcaX509v3CertificateBuilder;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests the output of {@code check --connect} for servers with invalid certificates. */
class ConnectivityCheckIT {

    private static final X500Principal AUTHORITY = new X500Principal("CN=authority");

    @TempDir
    private Path folder;

    private final StringWriter out = new StringWriter();
    private ServerSocket server;
    private KeyPair authority;
    private KeyPair leaf;

    @BeforeEach
    void start() throws Exception {
        server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        KeyPairGenerator pairs = KeyPairGenerator.getInstance("EC");
        pairs.initialize(256);
        authority = pairs.generateKeyPair();
        leaf = pairs.generateKeyPair();
        X509Certificate root = certificate(AUTHORITY, authority, Duration.ofDays(365), "authority", true);
        Files.writeString(
                folder.resolve("ca.crt"),
                "-----BEGIN CERTIFICATE-----\n" + Base64.getMimeEncoder().encodeToString(root.getEncoded())
                        + "\n-----END CERTIFICATE-----\n");
    }

    @AfterEach
    void stop() throws IOException {
        server.close();
    }

    @Test
    void namesTheFaultOfACertificate() throws Exception {
        serve(certificate(new X500Principal("CN=app"), leaf, Duration.ofDays(1), "app.example", false));
        assertThat(check("app.example", "ca.crt")).contains("reached: upstream app 127.0.0.1:" + server.getLocalPort());
        assertThat(check("other.example", "ca.crt")).contains("its certificate is for another name");
        assertThat(check("app.example", "null")).contains("no trusted authority issued its certificate");
    }

    @Test
    void reportsAnExpiredCertificate() throws Exception {
        serve(certificate(new X500Principal("CN=app"), leaf, Duration.ofDays(-1), "app.example", false));

        assertThat(check("app.example", "ca.crt"))
                .contains("not reached: upstream app 127.0.0.1:" + server.getLocalPort()
                        + ": its certificate has expired");
    }

    @Test
    void reportsAServerWithoutTls() {
        accept(socket -> socket.getOutputStream().write("HTTP/1.1 400 Bad Request\r\n\r\n".getBytes(US_ASCII)));

        assertThat(check("app.example", "ca.crt")).contains("the server does not use TLS");
    }

    private String check(String name, String ca) {
        out.getBuffer().setLength(0);
        try {
            Path config = Files.writeString(
                    folder.resolve("gateway.yaml"),
                    "listeners: [{name: web, address: \"127.0.0.1:0\"}]\n"
                            + "upstreams: [{name: app, endpoints: [\"127.0.0.1:"
                            + server.getLocalPort() + "\"], tls: {server-name: " + name + ", ca-file: " + ca + "}}]\n"
                            + "routes: [{upstream: app, token: off}]\n");
            PrintWriter writer = new PrintWriter(out, true);
            PosternCommand.execute(writer, writer, "check", "--connect", "-c", config.toString());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        assertThat(out.toString()).doesNotContain("javax.", "sun.", "java.");
        return out.toString();
    }

    private void serve(X509Certificate certificate) throws Exception {
        KeyStore keys = KeyStore.getInstance("PKCS12");
        keys.load(null, null);
        keys.setKeyEntry("it", leaf.getPrivate(), new char[0], new X509Certificate[] {certificate});
        KeyManagerFactory managers = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        managers.init(keys, new char[0]);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(managers.getKeyManagers(), null, null);
        accept(socket -> {
            SSLSocket tls = (SSLSocket) context.getSocketFactory().createSocket(socket, null, false);
            tls.startHandshake();
            tls.getInputStream().read();
        });
    }

    /** Handles a connection of the server. */
    @FunctionalInterface
    private interface Response {

        void to(Socket socket) throws IOException;
    }

    private void accept(Response response) {
        Thread thread = new Thread(() -> {
            while (!server.isClosed()) {
                try (Socket socket = server.accept()) {
                    response.to(socket);
                } catch (IOException e) {
                    // The client closes when it refuses the certificate; or the test has ended.
                }
            }
        });
        thread.setDaemon(true);
        thread.start();
    }

    /** Creates a certificate of the authority; valid from a year ago for that much longer from now. */
    private X509Certificate certificate(X500Principal subject, KeyPair keys, Duration left, String name, boolean ca)
            throws Exception {
        PrivateKey signer = authority.getPrivate();
        Instant now = Instant.now();
        JcaX509v3CertificateBuilder builder = new JcaX509v3CertificateBuilder(
                AUTHORITY,
                BigInteger.valueOf(now.toEpochMilli()),
                Date.from(now.minus(Duration.ofDays(365))),
                Date.from(now.plus(left)),
                subject,
                keys.getPublic());
        builder.addExtension(Extension.basicConstraints, true, new BasicConstraints(ca));
        builder.addExtension(
                Extension.subjectAlternativeName, false, new GeneralNames(new GeneralName(GeneralName.dNSName, name)));
        return new JcaX509CertificateConverter()
                .getCertificate(builder.build(new JcaContentSignerBuilder("SHA256withECDSA").build(signer)));
    }
}
