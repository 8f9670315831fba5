package dev.postern.core.tls;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.postern.core.tls.certificate.CertificateAndKey;
import dev.postern.core.tls.certificate.ServerIdentity;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.ssl.SslHandler;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.List;
import javax.net.ssl.SSLException;

/**
 * Self-test of a TLS engine: a handshake in memory between a listener's and an upstream's side, then one record in each direction. The key
 * of its certificate is public and protects nothing.
 */
final class TlsSelfTest {

    private static final String NAME = "self-test.invalid";
    private static final int PORT = 443;
    private static final byte[] RECORD = "record".getBytes(US_ASCII);
    private static final int MAX_FLIGHTS = 8;

    private final TlsEngine engine;

    TlsSelfTest(TlsEngine engine) {
        this.engine = engine;
    }

    /** Throws {@link SSLException} or {@link IllegalArgumentException} with the reason when the engine fails. */
    void run() throws SSLException {
        CertificateAndKey pair = CertificateAndKey.of(resource("self-test.crt"), resource("self-test.key"));
        ServerContext server = new ServerContext(engine, "TLSv1.2", List.of(), new ServerNames());
        SslHandler accepted = server.of(List.of(pair), null).handler(ByteBufAllocator.DEFAULT);
        EmbeddedChannel listener = new EmbeddedChannel(accepted);
        ClientContext client = new ClientContext(engine, pair.chain(), null, "");
        EmbeddedChannel upstream =
                new EmbeddedChannel(client.handler(ByteBufAllocator.DEFAULT, ServerIdentity.of(NAME), PORT));
        try {
            for (int i = 0; i < MAX_FLIGHTS && !accepted.handshakeFuture().isDone(); i++) {
                move(upstream, listener);
                move(listener, upstream);
            }
            check(accepted.handshakeFuture().isSuccess(), "no handshake");
            exchange(upstream, listener);
            exchange(listener, upstream);
        } finally {
            listener.finishAndReleaseAll();
            upstream.finishAndReleaseAll();
        }
    }

    private static void exchange(EmbeddedChannel from, EmbeddedChannel to) throws SSLException {
        from.writeOutbound(Unpooled.wrappedBuffer(RECORD));
        move(from, to);
        ByteBuf received = to.readInbound();
        try {
            check(received != null && received.equals(Unpooled.wrappedBuffer(RECORD)), "no record");
        } finally {
            if (received != null) {
                received.release();
            }
        }
    }

    private static void move(EmbeddedChannel from, EmbeddedChannel to) {
        for (ByteBuf record = from.readOutbound(); record != null; record = from.readOutbound()) {
            to.writeInbound(record);
        }
    }

    private static void check(boolean holds, String fault) throws SSLException {
        if (!holds) {
            throw new SSLException(fault);
        }
    }

    private static byte[] resource(String name) {
        try (InputStream in = TlsSelfTest.class.getResourceAsStream(name)) {
            if (in == null) {
                throw new IllegalStateException(name + " (expected: a resource of the gateway's jar)");
            }
            return in.readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
