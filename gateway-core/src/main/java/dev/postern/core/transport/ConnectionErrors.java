package dev.postern.core.transport;

import io.netty.handler.codec.DecoderException;
import java.io.IOException;

/** Whose doing it is that a connection failed: nobody needs to be told what clients do to theirs, everybody what we do. */
public final class ConnectionErrors {

    private ConnectionErrors() {}

    /** Whether the peer or the network is to blame: a reset, or records that are none of TLS, which Netty wraps. */
    public static boolean is(Throwable cause) {
        return cause instanceof IOException
                || cause instanceof DecoderException && cause.getCause() instanceof IOException;
    }
}
