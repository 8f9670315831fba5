package dev.postern.core.transport;

import io.netty.channel.Channel;
import io.netty.channel.socket.DuplexChannel;
import io.netty.handler.codec.DecoderException;
import java.io.IOException;

/** Connection errors: tells failures caused by a peer or the network, which are not logged, from errors of the gateway, which are. */
public final class ConnectionErrors {

    private ConnectionErrors() {}

    /** Returns whether the peer or the network caused the failure: a reset, or records that are not TLS, which Netty wraps. */
    public static boolean is(Throwable cause) {
        return cause instanceof IOException
                || cause instanceof DecoderException && cause.getCause() instanceof IOException;
    }

    /**
     * Returns whether the failure ended only the output of a channel whose {@code autoClose} is off. An upstream that closes with a part of
     * the request unread resets the connection, mostly behind a response; the input ends behind the bytes that arrived before.
     */
    public static boolean onlyOutput(Throwable cause, Channel channel) {
        return cause instanceof IOException
                && channel.isActive()
                && channel instanceof DuplexChannel duplex
                && duplex.isOutputShutdown();
    }
}
