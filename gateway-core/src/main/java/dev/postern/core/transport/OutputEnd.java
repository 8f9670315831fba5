package dev.postern.core.transport;

import io.netty.channel.Channel;
import io.netty.handler.ssl.SslHandler;

/** End of what the gateway sends over a channel. Event loop only. */
final class OutputEnd {

    private OutputEnd() {}

    /**
     * Sends the close_notify of TLS if the channel has TLS, without which the peer must take the end for a cut (RFC 8446 section 6.1), and
     * then runs {@code next}, which may end the output of TCP. All that was written before must have been sent.
     */
    static void announce(Channel channel, Runnable next) {
        SslHandler tls = channel.pipeline().get(SslHandler.class);
        if (tls == null || !channel.isActive()) {
            next.run();
        } else {
            CloseReply.send(channel);
            tls.closeOutbound().addListener(sent -> next.run());
        }
    }
}
