package dev.postern.core.http2.codec;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.netty.buffer.ByteBuf;

/** Connection preface of a client with prior knowledge of HTTP/2 (RFC 9113 section 3.4). Stateless. */
public final class ConnectionPreface {

    private static final byte[] BYTES = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(US_ASCII);

    /** Result for the bytes received so far. */
    public enum Found {
        /** The bytes begin with the whole preface. */
        WHOLE,
        /** The bytes are a part of the preface. */
        PART,
        /** The bytes are not the preface. */
        NO
    }

    private ConnectionPreface() {}

    /** Compares the readable bytes with the preface, without consuming them. */
    public static Found inspect(ByteBuf in) {
        int n = Math.min(in.readableBytes(), BYTES.length);
        for (int i = 0; i < n; i++) {
            if (in.getByte(in.readerIndex() + i) != BYTES[i]) {
                return Found.NO;
            }
        }
        return n == BYTES.length ? Found.WHOLE : Found.PART;
    }
}
