package dev.postern.core.tls;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.core.testing.BothTlsEngines;
import dev.postern.core.testing.LeakExtension;
import dev.postern.core.testing.TestCertificate;
import dev.postern.core.tls.certificate.CertificateAndKey;
import dev.postern.core.tls.certificate.Pem;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.ssl.SslHandler;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import javax.net.ssl.SSLException;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;

/** Tests how long the server name of a handshake is kept, and what the engine receives. */
@BothTlsEngines
@ExtendWith(LeakExtension.class)
class ServerNameHandlerTest {

    private static final byte[] HELLO = dev.postern.core.testing.ServerNames.hello("my_app.test".getBytes(US_ASCII));

    @TempDir
    private static Path folder;

    private static TestCertificate site;

    @Parameter
    private TlsEngine.Kind engine;

    private final ServerNames names = new ServerNames();
    private SslHandler tls;
    private ServerNameHandler handler;
    private EmbeddedChannel channel;

    /** The JDK's engine has another session from its own Finished message on. */
    private ServerNames.Handshake begun;

    @BeforeAll
    static void certificate() {
        site = TestCertificate.ec(folder, "site", "dns:site.example");
    }

    @BeforeEach
    void open() throws SSLException {
        CertificateAndKey pair = CertificateAndKey.of(Pem.read(site.certificate()), Pem.read(site.key()));
        tls = new ServerContext(TlsEngine.open(engine), "TLSv1.2", List.of(), names)
                .of(List.of(pair), null)
                .handler(ByteBufAllocator.DEFAULT);
        begun = new ServerNames.Handshake(tls.engine().getSession());
        handler = new ServerNameHandler(names, tls);
        channel = new EmbeddedChannel(handler);
    }

    @Test
    void keepsTheNameUntilTheHandshakeEnds() {
        for (byte one : HELLO) {
            assertThat(names.of(begun)).isNull();
            channel.writeInbound(Unpooled.wrappedBuffer(new byte[] {one}));
        }
        assertThat(handler.name()).isEqualTo("my_app.test");
        assertThat(names.of(begun)).isEqualTo("my_app.test");
        assertThat(channel.pipeline().get(ServerNameHandler.class)).isNull();
        assertThat(channel.outboundMessages()).as("the server's hello").isNotEmpty();
        channel.close();
        assertThat(tls.handshakeFuture().isDone()).isTrue();
        assertThat(names.of(begun)).isNull();
        channel.finishAndReleaseAll();
    }

    @Test
    void endsWithAConnectionThatClosesWithinTheHello() {
        channel.writeInbound(Unpooled.wrappedBuffer(Arrays.copyOf(HELLO, 20)));
        assertThat(channel.outboundMessages()).isEmpty();
        channel.finishAndReleaseAll();
        assertThat(tls.handshakeFuture().isSuccess()).isFalse();
        assertThat(handler.name()).isNull();
        assertThat(names.of(begun)).isNull();
    }
}
