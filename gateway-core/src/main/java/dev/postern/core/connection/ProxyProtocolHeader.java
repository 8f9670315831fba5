package dev.postern.core.connection;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;

/**
 * Header of the PROXY protocol, version 1 (a line of text) or 2 (binary), as in HAProxy's {@code proxy-protocol.txt}: a load balancer sends
 * it first and names the client. Strict: a header that could be read in two ways is malformed.
 *
 * @param source the client; null when the load balancer speaks for itself or does not know the client
 */
record ProxyProtocolHeader(@Nullable InetSocketAddress source) {

    static final ProxyProtocolHeader UNKNOWN = new ProxyProtocolHeader(null);

    private static final byte[] TEXT = "PROXY ".getBytes(US_ASCII);
    private static final byte[] BINARY = {13, 10, 13, 10, 0, 13, 10, 'Q', 'U', 'I', 'T', 10};

    /** Signals bytes that are not a valid header. Has no stack trace: the cause is the peer's input, not an error in the gateway. */
    static final class Malformed extends RuntimeException {

        private static final long serialVersionUID = 1;

        Malformed(String reason) {
            super(reason, null, false, false);
        }
    }

    /**
     * Reads and consumes a header at the front of the received bytes; returns null, and consumes nothing, while the header is incomplete.
     * Throws {@link Malformed} as soon as the bytes can't become a header any more.
     */
    static @Nullable ProxyProtocolHeader read(ByteBuf in) {
        if (!in.isReadable()) {
            return null;
        }
        byte first = in.getByte(in.readerIndex());
        if (first == TEXT[0]) {
            return begins(in, TEXT) ? ProxyProtocolV1Parser.read(in) : null;
        }
        if (first == BINARY[0]) {
            return begins(in, BINARY) ? ProxyProtocolV2Parser.read(in, BINARY.length) : null;
        }
        throw new Malformed("neither of the two beginnings");
    }

    /** Returns whether the bytes begin with a header, valid or not. */
    static boolean begins(ByteBuf in) {
        return isFirst(in, TEXT) || isFirst(in, BINARY);
    }

    private static boolean isFirst(ByteBuf in, byte[] signature) {
        return in.readableBytes() >= signature.length
                && ByteBufUtil.equals(in, in.readerIndex(), Unpooled.wrappedBuffer(signature), 0, signature.length);
    }

    private static boolean begins(ByteBuf in, byte[] expected) {
        int present = Math.min(in.readableBytes(), expected.length);
        for (int i = 0; i < present; i++) {
            if (in.getByte(in.readerIndex() + i) != expected[i]) {
                throw new Malformed("another beginning");
            }
        }
        return present == expected.length;
    }
}
