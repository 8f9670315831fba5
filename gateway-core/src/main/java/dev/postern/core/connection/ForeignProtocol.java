package dev.postern.core.connection;

import dev.postern.core.connection.CloseReasonMetrics.Why;
import io.netty.buffer.ByteBuf;
import org.jspecify.annotations.Nullable;

/** Detects, from the first bytes of a connection, a protocol that the listener does not speak. A plain rule that consumes no bytes. */
public final class ForeignProtocol {

    /** Content type of a TLS handshake record (RFC 8446 section 5.1). */
    private static final byte HANDSHAKE = 0x16;

    private ForeignProtocol() {}

    /**
     * Checks a connection that should start with HTTP in clear text; null when the bytes are neither TLS nor a header of the PROXY
     * protocol.
     */
    public static @Nullable Why ofClearText(ByteBuf in) {
        if (in.isReadable() && in.getByte(in.readerIndex()) == HANDSHAKE) {
            return Why.TLS_HELLO;
        }
        return ProxyProtocolHeader.begins(in) ? Why.PROXY_HEADER : null;
    }

    /**
     * Checks a connection that should start with TLS; null when the bytes are neither an HTTP method nor a header of the PROXY protocol.
     */
    static @Nullable Why ofTls(ByteBuf in) {
        if (ProxyProtocolHeader.begins(in)) {
            return Why.PROXY_HEADER;
        }
        byte first = in.isReadable() ? in.getByte(in.readerIndex()) : 0;
        return first >= 'A' && first <= 'Z' ? Why.CLEAR_TEXT : null;
    }
}
