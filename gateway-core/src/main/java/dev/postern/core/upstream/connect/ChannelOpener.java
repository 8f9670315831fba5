package dev.postern.core.upstream.connect;

import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandler;
import io.netty.channel.EventLoop;
import java.net.SocketAddress;
import java.time.Duration;

/** Opener of channels to endpoints. What a pool or a health check does with a channel needs no socket. */
@FunctionalInterface
public interface ChannelOpener {

    /**
     * Opens a channel on the caller's event loop; done on that loop when the channel is connected and its TLS handshake, if any, is
     * complete. Both share the timeout.
     *
     * @param handler for the new channel, or an initializer that adds nothing
     */
    ChannelFuture open(EventLoop loop, SocketAddress address, Duration timeout, ChannelHandler handler);
}
