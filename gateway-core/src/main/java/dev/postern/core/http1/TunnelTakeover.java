package dev.postern.core.http1;

import dev.postern.core.exchange.TunnelHandler;
import dev.postern.core.transport.ChannelTunnelPeer;
import dev.postern.core.transport.WriteTimeoutHandler;
import dev.postern.core.transport.loop.DrainState;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPipeline;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import org.jspecify.annotations.Nullable;

/**
 * Takeover of an HTTP/1.1 connection by a tunnel: removes the handlers of HTTP, and repeats for the tunnel what arrived before it opened.
 *
 * @param http the handler of the connection, the last that is removed
 * @param early the bytes behind the request; owned
 * @param inputEnded whether the client has ended its output
 * @param draining whether the process is stopping
 */
record TunnelTakeover(ChannelHandlerContext http, @Nullable ByteBuf early, boolean inputEnded, boolean draining) {

    void open(TunnelHandler handler) {
        ChannelPipeline pipeline = http.pipeline();
        while (pipeline.last() != http.handler()) {
            pipeline.removeLast();
        }
        WriteTimeoutHandler.exempt(pipeline);
        handler.open(new ChannelTunnelPeer(http.channel()));
        http.channel().config().setAutoRead(true);
        repeat();
        pipeline.remove(http.handler());
    }

    private void repeat() {
        if (draining) {
            http.fireUserEventTriggered(DrainState.BEGUN);
        }
        if (early != null) {
            http.fireChannelRead(early);
            http.fireChannelReadComplete();
        }
        if (inputEnded) {
            http.fireUserEventTriggered(ChannelInputShutdownEvent.INSTANCE);
        }
    }
}
