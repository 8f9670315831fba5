package dev.postern.core.tls;

import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelPipeline;
import io.netty.handler.codec.DecoderException;
import io.netty.handler.ssl.OpenSslServerSessionContext;
import io.netty.handler.ssl.OpenSslSessionTicketKey;
import io.netty.handler.ssl.ReferenceCountedOpenSslEngine;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslHandler;
import io.netty.internal.tcnative.SSL;
import io.netty.util.ReferenceCountUtil;
import java.lang.ref.Cleaner;
import java.lang.ref.Reference;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/**
 * TLS context: what handshakes with the same files have in common. Thread-safe.
 *
 * <p>A context of BoringSSL is native memory with a reference count. Each connection has a reference to its context. This object owns the
 * first reference, and a cleaner releases it when the object is unreachable: when a reload replaces a context, event loops may still create
 * handlers of the previous one for connections that they have just accepted, so no call is known to be the last.
 */
final class TlsContext {

    private final SslContext context;

    TlsContext(SslContext context, Cleaner cleaner) {
        this.context = context;
        cleaner.register(this, () -> ReferenceCountUtil.release(context));
    }

    /** Sets the keys of session tickets: the first seals, all open. Only for listeners with BoringSSL. */
    void tickets(OpenSslSessionTicketKey[] keys) {
        ((OpenSslServerSessionContext) context.sessionContext()).setTicketKeys(keys);
    }

    /** Creates the handler of an accepted connection. */
    SslHandler handler(ByteBufAllocator allocator) {
        try {
            return BrokenRecordHandler.follow(context.newHandler(allocator));
        } finally {
            Reference.reachabilityFence(this);
        }
    }

    /** Creates the handler of a connection to a server. */
    SslHandler handler(ByteBufAllocator allocator, String host, int port) {
        try {
            return BrokenRecordHandler.follow(context.newHandler(allocator, host, port));
        } finally {
            Reference.reachabilityFence(this);
        }
    }

    /**
     * Handler that reports a record that BoringSSL refused after the handshake, as the JDK's engine does. Netty's engine sends the alert, but
     * keeps the failure until more bytes arrive; the connection would stay open. One per channel, after the handler of TLS.
     */
    private static final class BrokenRecordHandler extends ChannelInboundHandlerAdapter {

        private final ReferenceCountedOpenSslEngine engine;

        private BrokenRecordHandler(ReferenceCountedOpenSslEngine engine) {
            this.engine = engine;
        }

        /** Adds the handler to the pipeline of a handler of BoringSSL when its handshake has succeeded; does nothing with another engine. */
        static SslHandler follow(SslHandler tls) {
            if (tls.engine() instanceof ReferenceCountedOpenSslEngine engine) {
                tls.handshakeFuture().addListener(done -> {
                    if (done.isSuccess()) {
                        add((Channel) done.getNow(), tls, engine);
                    }
                });
            }
            return tls;
        }

        private static void add(Channel channel, SslHandler tls, ReferenceCountedOpenSslEngine engine) {
            ChannelPipeline pipeline = channel.pipeline();
            @Nullable ChannelHandlerContext context = pipeline.context(tls);
            if (context != null) {
                pipeline.addAfter(context.name(), null, new BrokenRecordHandler(engine));
            }
        }

        @Override
        public void channelReadComplete(ChannelHandlerContext ctx) {
            // A regular end of the peer closes the engine's inbound side; BoringSSL alone knows of a refused record.
            if (!engine.isInboundDone() && (SSL.getShutdown(engine.sslPointer()) & SSL.SSL_RECEIVED_SHUTDOWN) != 0) {
                ctx.fireExceptionCaught(new DecoderException(new SSLException("a record of the peer is not valid")));
            }
            ctx.fireChannelReadComplete();
        }
    }
}
