package dev.postern.core.http2.codec;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.netty.buffer.ByteBuf;

/** The first bytes of a client that knows beforehand that we speak HTTP/2 (RFC 9113 section 3.4). Stateless. */
public final class ConnectionPreface {

    private static final byte[] BYTES = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(US_ASCII);

    /** What the bytes so far say. */
    public enum Found {
        /** They are it. */
        WHOLE,
        /** They may become it. */
        PART,
        /** They are something else. */
        NO
    }

    private ConnectionPreface() {}

    /** Looks at the readable bytes and takes none away. */
    public static Found look(ByteBuf in) {
        int n = Math.min(in.readableBytes(), BYTES.length);
        for (int i = 0; i < n; i++) {
            if (in.getByte(in.readerIndex() + i) != BYTES[i]) {
                return Found.NO;
            }
        }
        return n == BYTES.length ? Found.WHOLE : Found.PART;
    }
}
