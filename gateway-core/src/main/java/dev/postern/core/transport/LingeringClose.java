package dev.postern.core.transport;

import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import io.netty.channel.socket.DuplexChannel;
import io.netty.handler.ssl.SslHandler;
import io.netty.util.ReferenceCountUtil;
import java.util.concurrent.TimeUnit;

/**
 * Lingering close of a connection (RFC 9112 section 9.6, RFC 9113 section 5.4.1): shuts down the output first, then reads and discards the
 * bytes that the client still sends. Otherwise these bytes would cause a reset that destroys the response before the client reads it.
 */
public final class LingeringClose extends ChannelInboundHandlerAdapter {

    private static final int MAX_SECONDS = 2;

    private LingeringClose() {}

    public static void close(Channel channel) {
        if (!channel.isActive()) {
            channel.close();
            return;
        }
        // Pending writes may still wait for a slow reader; both ways to close would drop them.
        channel.writeAndFlush(Unpooled.EMPTY_BUFFER).addListener(sent -> closeEmpty(channel));
    }

    private static void closeEmpty(Channel channel) {
        boolean tls = channel.pipeline().get(SslHandler.class) != null; // TLS sends close_notify on close
        if (tls || !(channel instanceof DuplexChannel duplex) || !channel.isActive()) {
            channel.close();
            return;
        }
        if (duplex.isInputShutdown()) {
            channel.close(); // the client has ended its output already; no second event would follow
            return;
        }
        channel.pipeline().addFirst(new LingeringClose());
        channel.config().setAutoRead(true);
        duplex.shutdownOutput();
        // Also correct when the channel is closed before: a second close does nothing.
        channel.eventLoop().schedule(() -> channel.close(), MAX_SECONDS, TimeUnit.SECONDS);
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        ReferenceCountUtil.release(message);
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
        if (event == ChannelInputShutdownEvent.INSTANCE) {
            ctx.close();
        }
    }
}
