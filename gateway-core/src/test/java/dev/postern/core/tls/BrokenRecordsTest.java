package dev.postern.core.tls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postern.core.testing.BothTlsEngines;
import dev.postern.core.testing.LeakExtension;
import dev.postern.core.testing.TestCertificate;
import dev.postern.core.tls.certificate.CertificateAndKey;
import dev.postern.core.tls.certificate.Pem;
import dev.postern.core.tls.certificate.ServerIdentity;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.DecoderException;
import io.netty.handler.ssl.SslHandler;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.util.List;
import javax.net.ssl.SSLException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;

/** Tests records that are refused after the handshake. */
@BothTlsEngines
@ExtendWith(LeakExtension.class)
class BrokenRecordsTest {

    private static final byte[] NO_RECORD = {23, 3, 3, 0, 10, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10};

    @TempDir
    private static Path folder;

    @Parameter
    private TlsEngine.Kind engine;

    @Test
    void anInvalidRecordAfterTheHandshakeEndsTheConnection() throws Exception {
        TestCertificate site = TestCertificate.ec(folder, "site-" + engine, "dns:site.example");
        TlsEngine opened = TlsEngine.open(engine);
        CertificateAndKey pair = CertificateAndKey.of(Pem.read(site.certificate()), Pem.read(site.key()));
        SslHandler accepted = new ServerContext(opened, "TLSv1.2", List.of(), new ServerNames())
                .of(List.of(pair), null)
                .handler(ByteBufAllocator.DEFAULT);
        EmbeddedChannel server = new EmbeddedChannel(accepted);
        EmbeddedChannel client =
                new EmbeddedChannel(new ClientContext(opened, new X509Certificate[] {site.x509()}, null, "")
                        .handler(ByteBufAllocator.DEFAULT, ServerIdentity.of("site.example"), 443));
        for (int i = 0; i < 8; i++) {
            move(client, server);
            move(server, client);
        }
        assertThat(accepted.handshakeFuture().isSuccess()).isTrue();
        assertThatThrownBy(() -> server.writeInbound(Unpooled.wrappedBuffer(NO_RECORD)))
                .isInstanceOf(DecoderException.class)
                .hasCauseInstanceOf(SSLException.class);
        assertThat(server.outboundMessages()).as("an alert").isNotEmpty();
        client.finishAndReleaseAll();
        server.finishAndReleaseAll();
    }

    private static void move(EmbeddedChannel from, EmbeddedChannel to) {
        for (ByteBuf record = from.readOutbound(); record != null; record = from.readOutbound()) {
            to.writeInbound(record);
        }
    }
}
