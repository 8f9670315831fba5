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
 * Closes a connection the polite way (RFC 9112 section 9.6, RFC 9113 section 5.4.1): our side first, then read away what the client still sends, so that its
 * bytes don't turn into a reset that destroys the response before it is read.
 */
public final class LingeringClose extends ChannelInboundHandlerAdapter {

    private static final int MAX_SECONDS = 2;

    private LingeringClose() {}

    public static void close(Channel channel) {
        if (!channel.isActive()) {
            channel.close();
            return;
        }
        // What was written may wait for a slow reader still, and both ways to close would drop it.
        channel.writeAndFlush(Unpooled.EMPTY_BUFFER).addListener(sent -> closeEmpty(channel));
    }

    private static void closeEmpty(Channel channel) {
        boolean tls = channel.pipeline().get(SslHandler.class) != null; // says goodbye by itself
        if (tls || !(channel instanceof DuplexChannel duplex) || !channel.isActive()) {
            channel.close();
            return;
        }
        if (duplex.isInputShutdown()) {
            channel.close(); // the client has ended already and says so only once
            return;
        }
        channel.pipeline().addFirst(new LingeringClose());
        channel.config().setAutoRead(true);
        duplex.shutdownOutput();
        // Of no concern when it is closed before: closing twice does nothing.
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
