package dev.postern.core.transport;

import dev.postern.core.transport.loop.DrainState;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.EventLoop;
import io.netty.channel.socket.DuplexChannel;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Tunnel peer that is a whole connection; owns its autoRead. One per channel, confined to its event loop. */
public final class ChannelTunnelPeer extends ChannelInboundHandlerAdapter implements TunnelPeer {

    /** Time in which the other side must take one of the pending bytes of a closing connection. */
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    private final Channel channel;
    private @Nullable Taker taker;
    private boolean inputEnded;
    private boolean closing;

    public ChannelTunnelPeer(Channel channel) {
        this.channel = channel;
    }

    @Override
    public void begin(Taker receiver) {
        taker = receiver;
        CloseReply.hold(channel.pipeline());
        channel.pipeline().addLast(this);
        if (!channel.isActive()) {
            receiver.gone();
        }
    }

    @Override
    public void write(ByteBuf data) {
        channel.write(data, channel.voidPromise());
    }

    @Override
    public void flush() {
        channel.flush();
    }

    @Override
    public boolean writable() {
        return channel.isWritable();
    }

    @Override
    public void pause() {
        channel.config().setAutoRead(false);
    }

    @Override
    public void resume() {
        channel.config().setAutoRead(true);
    }

    @Override
    public void finish() {
        // Behind all pending writes: shutting down drops bytes that the socket has not taken.
        channel.writeAndFlush(channel.alloc().buffer(0))
                .addListener(written -> OutputEnd.announce(channel, this::shutDown));
    }

    private void shutDown() {
        if (channel instanceof DuplexChannel duplex) {
            duplex.shutdownOutput();
            if (inputEnded || duplex.isInputShutdown()) {
                channel.close();
            }
        }
    }

    @Override
    public void close() {
        if (closing || !channel.isActive()) {
            return;
        }
        closing = true;
        ChannelFuture sent = channel.writeAndFlush(channel.alloc().buffer(0)).addListener(ChannelFutureListener.CLOSE);
        if (!sent.isDone()) {
            // The timers of the tunnel have ended, and would wait for the same bytes.
            StalledWriteReset.watch(channel, PATIENCE);
        }
    }

    @Override
    public EventLoop loop() {
        return channel.eventLoop();
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        Taker receiver = taker;
        if (receiver != null) {
            receiver.data((ByteBuf) message);
        } else {
            ((ByteBuf) message).release();
        }
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext ctx) {
        Taker receiver = taker;
        if (receiver != null) {
            receiver.readComplete();
        }
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext ctx) {
        Taker receiver = taker;
        if (receiver != null && channel.isWritable()) {
            receiver.writable();
        }
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
        Taker receiver = taker;
        if (receiver != null && InputEnd.is(event)) {
            boolean again = inputEnded;
            inputEnded = true;
            if (!again) {
                receiver.finished();
            }
        } else if (receiver != null && event == DrainState.BEGUN) {
            receiver.draining();
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        Taker receiver = taker;
        if (receiver != null) {
            receiver.gone();
        }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        ctx.close();
    }
}
