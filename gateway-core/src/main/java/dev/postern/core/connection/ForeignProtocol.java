package dev.postern.core.connection;

import dev.postern.core.connection.CloseReasonMetrics.Why;
import io.netty.buffer.ByteBuf;
import org.jspecify.annotations.Nullable;

/** Tells by the first bytes of a connection what its client speaks that the listener does not. Plain rule; takes no byte away. */
public final class ForeignProtocol {

    /** The type of a record of TLS that begins a handshake (RFC 8446 section 5.1). */
    private static final byte HANDSHAKE = 0x16;

    private ForeignProtocol() {}

    /** Where HTTP in clear text is expected; null when it is neither TLS nor a header of the PROXY protocol. */
    public static @Nullable Why ofClearText(ByteBuf in) {
        if (in.isReadable() && in.getByte(in.readerIndex()) == HANDSHAKE) {
            return Why.TLS_HELLO;
        }
        return ProxyProtocolHeader.begins(in) ? Why.PROXY_HEADER : null;
    }

    /** Where TLS is expected; null when it is neither a method of HTTP nor a header of the PROXY protocol. */
    static @Nullable Why ofTls(ByteBuf in) {
        if (ProxyProtocolHeader.begins(in)) {
            return Why.PROXY_HEADER;
        }
        byte first = in.isReadable() ? in.getByte(in.readerIndex()) : 0;
        return first >= 'A' && first <= 'Z' ? Why.CLEAR_TEXT : null;
    }
}
