package dev.postern.core.transport;

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
}
