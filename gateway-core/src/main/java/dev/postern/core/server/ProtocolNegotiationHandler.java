package dev.postern.core.server;

import dev.postern.core.connection.ConnectionSettings;
import dev.postern.core.http.Protocol;
import dev.postern.core.http2.codec.ConnectionPreface;
import dev.postern.core.transport.loop.Deadline;
import dev.postern.core.transport.loop.DrainState;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import io.netty.handler.ssl.SslHandler;
import io.netty.handler.ssl.SslHandshakeCompletionEvent;
import org.jspecify.annotations.Nullable;

/**
 * Handler that negotiates the protocol and replaces itself with its codec (RFC 9113 sections 3.2 and 3.3): by ALPN over TLS, else by the
 * first bytes. A byte that can't belong to the HTTP/2 preface decides at once, so HTTP/1.1 requests do not wait. One per channel.
 */
final class ProtocolNegotiationHandler extends ChannelInboundHandlerAdapter {

    private final CodecFactory factory;
    private final ConnectionSettings limits;
    private @Nullable Deadline deadline;
    private @Nullable ByteBuf held;

    ProtocolNegotiationHandler(CodecFactory factory, ConnectionSettings limits) {
        this.factory = factory;
        this.limits = limits;
    }

    @Override
    public void handlerAdded(ChannelHandlerContext ctx) {
        Deadline late = new Deadline(ctx.channel().eventLoop(), () -> late(ctx));
        late.set(limits.keepAliveTimeout().toNanos());
        deadline = late;
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        ByteBuf in = (ByteBuf) message;
        SslHandler tls = ctx.pipeline().get(SslHandler.class);
        if (tls != null) {
            choose(ctx, negotiated(tls), in);
            return;
        }
        boolean first = held == null;
        ByteBuf all = join(ctx, in);
        held = null;
        switch (ConnectionPreface.inspect(all)) {
            case WHOLE -> choose(ctx, factory.http2().get(), all);
            case NO -> choose(ctx, factory.http1().get(), all);
            case PART -> {
                if (deadline != null && first) {
                    deadline.set(limits.headTimeout().toNanos());
                }
                held = all;
            }
        }
    }

    private ByteBuf join(ChannelHandlerContext ctx, ByteBuf in) {
        ByteBuf previous = held;
        if (previous == null) {
            return in;
        }
        ByteBuf all = ctx.alloc().buffer(previous.readableBytes() + in.readableBytes());
        all.writeBytes(previous).writeBytes(in);
        previous.release();
        in.release();
        return all;
    }

    private ChannelHandler negotiated(SslHandler tls) {
        boolean two = Protocol.H2.alpn().equals(tls.applicationProtocol());
        return two ? factory.http2().get() : factory.http1().get();
    }

    private void choose(ChannelHandlerContext ctx, ChannelHandler codec, @Nullable ByteBuf first) {
        stop();
        ctx.pipeline().replace(this, ctx.name(), codec);
        if (first != null) {
            ctx.fireChannelRead(first);
        }
    }

    /** Hands an incomplete preface to HTTP/1.1, which refuses it. */
    private void late(ChannelHandlerContext ctx) {
        ByteBuf part = held;
        held = null;
        if (part == null) {
            ctx.close();
        } else {
            choose(ctx, factory.http1().get(), part);
        }
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
        if (event == SslHandshakeCompletionEvent.SUCCESS) {
            SslHandler tls = ctx.pipeline().get(SslHandler.class);
            if (tls != null) {
                choose(ctx, negotiated(tls), null);
            }
        } else if (event == DrainState.BEGUN && held == null && deadline != null) {
            deadline.set(DrainState.PAUSE.toNanos()); // a first request may be under way
        } else if (event == ChannelInputShutdownEvent.INSTANCE) {
            late(ctx);
        }
        ctx.fireUserEventTriggered(event);
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        ctx.close(); // a failed handshake, or a reset
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        stop();
        ctx.fireChannelInactive();
    }

    @Override
    public void handlerRemoved(ChannelHandlerContext ctx) {
        stop();
    }

    private void stop() {
        if (deadline != null) {
            deadline.stop();
        }
        if (held != null) {
            held.release();
            held = null;
        }
    }
}
