package dev.postern.core.transport;

import io.netty.channel.Channel;
import io.netty.channel.ChannelOption;

/** Ends a connection so that its peer can't take what came for the whole: by RST (RFC 9293 section 3.10.4). Event loop only. */
public final class ConnectionReset {

    private ConnectionReset() {}

    /** Closes past all handlers: a goodbye of TLS would wait for a peer that takes nothing, and say that all is well. */
    public static void send(Channel channel) {
        channel.config().setOption(ChannelOption.SO_LINGER, 0);
        channel.unsafe().close(channel.unsafe().voidPromise());
    }
}
