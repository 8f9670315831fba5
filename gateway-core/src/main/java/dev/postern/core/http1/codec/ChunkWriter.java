package dev.postern.core.http1.codec;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;

/** Writer of the framing of a chunked body (RFC 9112 section 7.1). Stateless. */
public final class ChunkWriter {

    private static final byte[] LAST_CHUNK = "0\r\n\r\n".getBytes(US_ASCII);
    private static final int CRLF = '\r' << 8 | '\n';

    /** Maximum bytes of a size line and the end of a chunk. */
    public static final int FRAME = 24;

    private ChunkWriter() {}

    /** Writes the size line of a chunk. */
    public static void size(int bytes, ByteBuf out) {
        ByteBufUtil.writeAscii(out, Integer.toHexString(bytes));
        out.writeShort(CRLF);
    }

    /** Writes the readable bytes of the data as one chunk, and releases the data. */
    public static void chunk(ByteBuf data, ByteBuf out) {
        size(data.readableBytes(), out);
        out.writeBytes(data);
        data.release();
        end(out);
    }

    public static void end(ByteBuf out) {
        out.writeShort(CRLF);
    }

    /** Writes the last chunk when trailers follow. */
    public static void lastSize(ByteBuf out) {
        out.writeByte('0');
        out.writeShort(CRLF);
    }

    public static void last(ByteBuf out) {
        out.writeBytes(LAST_CHUNK);
    }
}
