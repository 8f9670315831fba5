package dev.postern.core.transport;

import io.netty.channel.socket.ChannelInputShutdownEvent;
import io.netty.handler.ssl.SslCloseCompletionEvent;

/**
 * End of what a peer sends: the FIN of TCP, or the close_notify of TLS (RFC 8446 section 6.1), after which no byte follows even when the
 * FIN does not. Both may arrive.
 */
public final class InputEnd {

    private InputEnd() {}

    /** Returns whether this event of a channel is one of the two. */
    public static boolean is(Object event) {
        return event == ChannelInputShutdownEvent.INSTANCE || event == SslCloseCompletionEvent.SUCCESS;
    }
}
