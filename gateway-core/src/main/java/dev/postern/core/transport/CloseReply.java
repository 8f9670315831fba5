package dev.postern.core.transport;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.ChannelPipeline;
import io.netty.channel.ChannelPromise;
import io.netty.handler.ssl.SslCloseCompletionEvent;
import io.netty.handler.ssl.SslHandler;
import java.util.ArrayDeque;
import java.util.Queue;
import javax.net.ssl.SSLEngine;
import org.jspecify.annotations.Nullable;

/**
 * Reply of TLS to a peer's close_notify, held back until the gateway itself ends its output. An engine that ends both directions at a
 * close_notify, as Netty's for BoringSSL does and the JDK's below TLS 1.3 (RFC 5246 section 7.2.1), replies at once and can send no byte
 * behind its reply: the peer would take an output that is lost for a complete one. A lost byte resets the connection instead, and the
 * reply is never sent. The JDK's engine with TLS 1.3 loses nothing (RFC 8446 section 6.1).
 *
 * <p>One per channel, between the socket and the handler of TLS. Event loop only.
 */
public final class CloseReply extends ChannelOutboundHandlerAdapter {

    private final SSLEngine engine;
    private final Queue<ByteBuf> held = new ArrayDeque<>(1);
    private @Nullable ChannelHandlerContext context;
    private boolean replied;
    private boolean ending;

    private CloseReply(SSLEngine engine) {
        this.engine = engine;
    }

    /** Holds the reply of the channel back from now on; does nothing without TLS. */
    public static void hold(ChannelPipeline pipeline) {
        ChannelHandlerContext place = pipeline.context(SslHandler.class);
        if (place != null && pipeline.get(CloseReply.class) == null) {
            CloseReply reply = new CloseReply(((SslHandler) place.handler()).engine());
            pipeline.addBefore(place.name(), null, reply);
            pipeline.addAfter(place.name(), null, reply.new PlainSide());
        }
    }

    /** Returns whether bytes written to the channel can't be sent, since the engine has ended the output with the peer's. */
    public static boolean ended(Channel channel) {
        CloseReply reply = channel.pipeline().get(CloseReply.class);
        return reply != null && reply.replied;
    }

    /** Sends the reply of the channel with the next flush: all that was written was sent. */
    static void send(Channel channel) {
        CloseReply reply = channel.pipeline().get(CloseReply.class);
        if (reply != null) {
            reply.send();
        }
    }

    private void send() {
        ending = true;
        ChannelHandlerContext ctx = context;
        while (ctx != null && !held.isEmpty()) {
            ctx.write(held.poll());
        }
    }

    @Override
    public void handlerAdded(ChannelHandlerContext ctx) {
        context = ctx;
    }

    @Override
    public void write(ChannelHandlerContext ctx, Object message, ChannelPromise promise) {
        ByteBuf out = (ByteBuf) message;
        if (ending || !out.isReadable() || !engine.isInboundDone() || !engine.isOutboundDone()) {
            ctx.write(out, promise);
        } else {
            replied = true;
            held.add(out);
            promise.trySuccess();
        }
    }

    @Override
    public void handlerRemoved(ChannelHandlerContext ctx) {
        context = null;
        while (!held.isEmpty()) {
            held.poll().release();
        }
    }

    /**
     * Plain side of TLS: sees which bytes the engine takes no more, and when the peer has really ended its output. An engine that has ended
     * its own, such as Netty's for BoringSSL, reports an end with the next record that it decrypts, and no other end later.
     */
    private final class PlainSide extends ChannelDuplexHandler {

        private boolean unsent;
        private boolean tooEarly;

        @Override
        public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
            if (event == SslCloseCompletionEvent.SUCCESS && !engine.isInboundDone()) {
                tooEarly = true;
            } else {
                ctx.fireUserEventTriggered(event);
            }
        }

        @Override
        public void channelReadComplete(ChannelHandlerContext ctx) {
            ctx.fireChannelReadComplete();
            if (tooEarly && engine.isInboundDone()) {
                tooEarly = false;
                ctx.fireUserEventTriggered(SslCloseCompletionEvent.SUCCESS);
            }
        }

        @Override
        public void write(ChannelHandlerContext ctx, Object message, ChannelPromise promise) {
            unsent |= ((ByteBuf) message).isReadable();
            ctx.write(message, promise);
        }

        @Override
        public void flush(ChannelHandlerContext ctx) {
            ctx.flush();
            boolean lost = unsent && replied;
            unsent = false;
            if (lost) {
                ConnectionReset.send(ctx.channel());
            }
        }

        @Override
        public void close(ChannelHandlerContext ctx, ChannelPromise promise) {
            if (unsent) {
                flush(ctx);
            }
            CloseReply.this.send();
            ctx.close(promise);
        }
    }
}
