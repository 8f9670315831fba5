package dev.postern.core.tls;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelPipeline;
import io.netty.handler.codec.DecoderException;
import io.netty.handler.ssl.ReferenceCountedOpenSslEngine;
import io.netty.handler.ssl.SslHandler;
import io.netty.internal.tcnative.SSL;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/**
 * Handler that reports a record that BoringSSL refused after the handshake, as the JDK's engine does. Netty's engine sends the alert, but
 * keeps the failure until more bytes arrive; the connection would stay open. One per channel, after the handler of TLS.
 */
final class BrokenRecordHandler extends ChannelInboundHandlerAdapter {

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
