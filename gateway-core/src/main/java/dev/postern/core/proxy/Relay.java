package dev.postern.core.proxy;

import dev.postern.core.transport.Deadline;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import io.netty.channel.socket.DuplexChannel;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * One direction of a tunnel: bytes as they come, no faster than the other side takes them, each half closed on its own. Two of them, on
 * one event loop, make a tunnel; each owns the autoRead of its own channel.
 */
final class Relay extends ChannelInboundHandlerAdapter {

    private final Channel from;
    private final Channel to;
    private final Deadline idle;
    private final long idleNanos;

    private Relay(Channel from, Channel to, Deadline idle, Duration most) {
        this.from = from;
        this.to = to;
        this.idle = idle;
        this.idleNanos = most.toNanos();
    }

    /**
     * @param idle without a byte for so long, the tunnel is closed
     * @param life so old, it is closed anyway; zero for never
     */
    static void join(Channel client, Channel destination, Duration idle, Duration life) {
        Deadline silence = new Deadline(client.eventLoop(), () -> {
            client.close();
            destination.close();
        });
        client.pipeline().addLast(new Relay(client, destination, silence, idle));
        destination.pipeline().addLast(new Relay(destination, client, silence, idle));
        silence.set(System.nanoTime(), idle.toNanos());
        if (!life.isZero()) {
            client.eventLoop().schedule(() -> client.close(), life.toNanos(), TimeUnit.NANOSECONDS);
        }
        if (!client.isActive()) {
            destination.close();
        }
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        idle.set(System.nanoTime(), idleNanos);
        to.write((ByteBuf) message, to.voidPromise());
        if (!to.isWritable()) {
            from.config().setAutoRead(false); // in the middle of a turn, in which a mebibyte may come
        }
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext ctx) {
        to.flush();
        if (!to.isWritable()) {
            from.config().setAutoRead(false);
        }
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext ctx) {
        // Our own channel takes more again: the other one may be read again.
        if (from.isWritable()) {
            to.config().setAutoRead(true);
        }
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
        if (event == ChannelInputShutdownEvent.INSTANCE) {
            if (to instanceof DuplexChannel duplex) {
                duplex.shutdownOutput();
            }
            if (((DuplexChannel) from).isOutputShutdown()) {
                from.close();
            }
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        idle.stop();
        if (to.isActive()) {
            to.writeAndFlush(to.alloc().buffer(0)).addListener(ChannelFutureListener.CLOSE);
        }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        ctx.close();
    }
}
