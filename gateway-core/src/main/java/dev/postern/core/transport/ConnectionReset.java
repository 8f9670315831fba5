package dev.postern.core.transport;

import io.netty.channel.Channel;
import io.netty.channel.ChannelOption;

/**
 * Resets a connection by RST (RFC 9293 section 3.10.4), so that the peer cannot mistake an incomplete message for a complete one. Event
 * loop only.
 */
public final class ConnectionReset {

    private ConnectionReset() {}

    /**
     * Closes past all handlers: a TLS close_notify would wait for a peer that reads nothing, and would signal a regular end. Does nothing to
     * a closed channel.
     */
    public static void send(Channel channel) {
        if (!channel.isOpen()) {
            return;
        }
        channel.config().setOption(ChannelOption.SO_LINGER, 0);
        channel.unsafe().close(channel.unsafe().voidPromise());
    }
}
