package dev.postern.core.connection;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;

/**
 * What a load balancer says first of the connection that it passes on: the header of the PROXY protocol, version 1 (a line of text) or 2
 * (binary), as in HAProxy's {@code proxy-protocol.txt}. Strict: what could be read in two ways is malformed.
 *
 * @param source the client; null when the load balancer speaks for itself or does not know
 */
public record ProxyProtocolHeader(@Nullable InetSocketAddress source) {

    static final ProxyProtocolHeader NOBODY = new ProxyProtocolHeader(null);

    private static final byte[] TEXT = "PROXY ".getBytes(US_ASCII);
    private static final byte[] BINARY = {13, 10, 13, 10, 0, 13, 10, 'Q', 'U', 'I', 'T', 10};

    /** Bytes that are no such header. Carries no stack: it is what a peer sent, not an error of ours. */
    static final class Malformed extends RuntimeException {

        private static final long serialVersionUID = 1;

        Malformed(String reason) {
            super(reason, null, false, false);
        }
    }

    /**
     * Takes the header off the front of what was received; null, and nothing taken, as long as it is incomplete. Throws {@link Malformed} as
     * soon as it can't become one any more.
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

    /** Whether a header, good or not, stands in front of the bytes. */
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
