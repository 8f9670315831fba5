package dev.postern.core.tls;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.core.testing.BothTlsEngines;
import dev.postern.core.testing.LeakExtension;
import dev.postern.core.testing.TestCertificate;
import dev.postern.core.tls.certificate.CertificateAndKey;
import dev.postern.core.tls.certificate.Pem;
import dev.postern.core.tls.certificate.ServerIdentity;
import dev.postern.core.tls.certificate.TlsFailure;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.ssl.NotSslRecordException;
import io.netty.handler.ssl.SslHandler;
import java.nio.file.Path;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.List;
import javax.net.ssl.SSLException;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;

/** Tests that the log names the fault of an upstream's certificate, with any engine. */
@BothTlsEngines
@ExtendWith(LeakExtension.class)
class TlsFailureTest {

    @TempDir
    private static Path folder;

    private static TestCertificate site;
    private static TestCertificate other;

    @Parameter
    private TlsEngine.Kind engine;

    @BeforeAll
    static void certificates() {
        site = TestCertificate.ec(folder, "site", "dns:site.example");
        other = TestCertificate.ec(folder, "other", "dns:other.example");
    }

    /** Returns the reason of a client that trusts the certificate and expects the name. */
    private String reason(TestCertificate trusted, String name) throws SSLException {
        TlsEngine opened = TlsEngine.open(engine);
        CertificateAndKey pair = CertificateAndKey.of(Pem.read(site.certificate()), Pem.read(site.key()));
        SslHandler connected = new ClientContext(opened, new X509Certificate[] {trusted.x509()}, null, "")
                .handler(ByteBufAllocator.DEFAULT, ServerIdentity.of(name), 443);
        EmbeddedChannel server = new EmbeddedChannel(new ServerContext(opened, "TLSv1.2", List.of(), new ServerNames())
                .of(List.of(pair), null)
                .handler(ByteBufAllocator.DEFAULT));
        EmbeddedChannel client = new EmbeddedChannel(connected);
        try {
            for (int i = 0; i < 3 && !connected.handshakeFuture().isDone(); i++) {
                move(client, server);
                move(server, client);
            }
        } catch (Exception e) {
            // The channel throws the failure that is read below.
        }
        try {
            return TlsFailure.reason(connected.handshakeFuture().cause());
        } finally {
            close(client);
            close(server);
        }
    }

    private static void move(EmbeddedChannel from, EmbeddedChannel to) {
        for (ByteBuf record = from.readOutbound(); record != null; record = from.readOutbound()) {
            to.writeInbound(record);
        }
    }

    private static void close(EmbeddedChannel channel) {
        try {
            channel.finishAndReleaseAll();
        } catch (Exception e) {
            // The failure of the handshake again.
        }
    }

    @Test
    void namesAMissingAuthority() throws SSLException {
        assertThat(reason(other, "site.example")).isEqualTo("its certificate does not verify: signature check failed");
    }

    @Test
    void namesAnotherHost() throws SSLException {
        assertThat(reason(site, "other.example")).contains("other.example");
    }

    @Test
    void namesTheFailureWithoutACertificate() {
        assertThat(TlsFailure.reason(new SSLException("handshake timed out"))).isEqualTo("handshake timed out");
        assertThat(TlsFailure.reason(new SSLException("general", new CertificateException("expired"))))
                .isEqualTo("expired");
        assertThat(TlsFailure.reason(new SSLException("general", new CertificateException())))
                .isEqualTo("general");
    }

    @Test
    void namesTheServerNameOfAFailedHandshake() {
        SSLException failure = new SSLException("no cipher suites in common");
        assertThat(TlsFailure.ofHandshake("my_app.test", failure))
                .isEqualTo("server name my_app.test, no cipher suites in common");
        assertThat(TlsFailure.ofHandshake(null, failure)).isEqualTo("no server name, no cipher suites in common");
    }

    @Test
    void boundsWhatClientsSend() {
        assertThat(TlsFailure.ofHandshake("a\n[WARN] b\u00fc\u001b", new SSLException("x\ny")))
                .isEqualTo("server name a?[WARN] b??, x?y");
        assertThat(TlsFailure.ofHandshake("n".repeat(70_000), new SSLException("r".repeat(70_000))))
                .isEqualTo("server name " + "n".repeat(100) + "..., " + "r".repeat(200) + "...");
        assertThat(TlsFailure.ofHandshake(null, new NotSslRecordException("not an SSL/TLS record: 736563726574")))
                .isEqualTo("no server name, no record of TLS");
    }
}
