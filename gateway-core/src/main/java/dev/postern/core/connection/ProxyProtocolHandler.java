package dev.postern.core.connection;

import dev.postern.core.transport.loop.DrainState;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import io.netty.handler.codec.ByteToMessageDecoder;
import io.netty.util.concurrent.ScheduledFuture;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Handler that reads the header of the PROXY protocol, has the rest of the pipeline added, and removes itself. Bytes behind the header are
 * passed on unread. One per channel; the handler owns the received bytes until it is removed.
 */
final class ProxyProtocolHandler extends ChannelInboundHandlerAdapter {

    private final Duration timeout;
    private final Predicate<ProxyProtocolHeader> next;
    private final Runnable refused;
    private @Nullable ByteBuf held;
    private @Nullable ScheduledFuture<?> late;

    /**
     * @param next adds the handlers behind this one; false when the connection is to be closed
     * @param refused runs when the header is missing, late or malformed, before the connection is closed
     */
    ProxyProtocolHandler(Duration timeout, Predicate<ProxyProtocolHeader> next, Runnable refused) {
        this.timeout = timeout;
        this.next = next;
        this.refused = refused;
    }

    @Override
    public void handlerAdded(ChannelHandlerContext ctx) {
        late = after(ctx, timeout, () -> refuse(ctx));
    }

    private static ScheduledFuture<?> after(ChannelHandlerContext ctx, Duration time, Runnable task) {
        return ctx.executor().schedule(task, time.toNanos(), TimeUnit.NANOSECONDS);
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        ByteBuf in = (ByteBuf) message;
        if (!ctx.channel().isActive()) {
            in.release();
            return;
        }
        ByteBuf all = held == null ? in : ByteToMessageDecoder.MERGE_CUMULATOR.cumulate(ctx.alloc(), held, in);
        held = all;
        try {
            ProxyProtocolHeader header = ProxyProtocolHeader.read(all);
            if (header != null) {
                leave(ctx, header, all);
            }
        } catch (ProxyProtocolHeader.Malformed e) {
            refuse(ctx);
        }
    }

    private void leave(ChannelHandlerContext ctx, ProxyProtocolHeader header, ByteBuf rest) {
        if (!next.test(header)) {
            ctx.close();
            return;
        }
        held = null;
        if (rest.isReadable()) {
            ctx.fireChannelRead(rest);
        } else {
            rest.release();
        }
        ctx.pipeline().remove(this);
    }

    private void refuse(ChannelHandlerContext ctx) {
        refused.run();
        ctx.close();
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
        if (event == ChannelInputShutdownEvent.INSTANCE && held != null) {
            refuse(ctx); // the header can no longer become complete
        } else if (event == ChannelInputShutdownEvent.INSTANCE) {
            ctx.close(); // a connection without bytes was only a port check
        } else if (event == DrainState.BEGUN) {
            drain(ctx);
        } else {
            ctx.fireUserEventTriggered(event);
        }
    }

    /** Closes without a word unless the header is complete after a pause: it may be under way. */
    private void drain(ChannelHandlerContext ctx) {
        if (late != null) {
            late.cancel(false);
        }
        late = after(ctx, DrainState.PAUSE, ctx::close);
    }

    @Override
    public void handlerRemoved(ChannelHandlerContext ctx) {
        if (late != null) {
            late.cancel(false);
        }
        if (held != null) {
            held.release();
            held = null;
        }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        ctx.close(); // a reset by the load balancer: no response is possible
    }
}
