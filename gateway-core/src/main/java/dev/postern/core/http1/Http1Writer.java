package dev.postern.core.http1;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.postern.core.exchange.Head;
import dev.postern.core.exchange.RequestHead;
import dev.postern.core.exchange.ResponseHead;
import dev.postern.core.exchange.Trailers;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;

/** Writes heads and chunk framing (RFC 9112), most fields in one piece with their neighbours. Stateless. */
final class Http1Writer {

    private static final byte[] VERSION = " HTTP/1.1\r\n".getBytes(US_ASCII);
    private static final byte[] CHUNKED = "transfer-encoding: chunked\r\n".getBytes(US_ASCII);
    private static final byte[] CLOSE = "connection: close\r\n".getBytes(US_ASCII);
    private static final byte[] KEEP_ALIVE = "connection: keep-alive\r\n".getBytes(US_ASCII);
    private static final byte[] LAST_CHUNK = "0\r\n\r\n".getBytes(US_ASCII);

    private static final int CRLF = '\r' << 8 | '\n';
    private static final int COLON_BLANK = ':' << 8 | ' ';

    /** What a writer adds to a head at most beyond {@link Head#size}. */
    static final int EXTRA = 160;

    /** How the connection goes on after an answer, as its field says. */
    enum Afterwards {
        KEEP,
        KEEP_SAID,
        CLOSE
    }

    private Http1Writer() {}

    /** A request head as it goes upstream; the framing fields must fit {@code head.bodyLength()}. Returns the number of its fields. */
    static int request(RequestHead head, ByteBuf out) {
        out.writeCharSequence(head.method().name(), US_ASCII);
        out.writeByte(' ');
        out.writeBytes(head.bytes(), head.targetStart(), head.targetEnd() - head.targetStart());
        out.writeBytes(VERSION);
        int fields = fields(head, out);
        if (head.bodyLength() == RequestHead.CHUNKED) {
            out.writeBytes(CHUNKED);
            fields++;
        }
        out.writeShort(CRLF);
        return fields;
    }

    /** An answer's head as it goes to the client. Returns the number of its fields. */
    static int response(ResponseHead head, boolean chunked, Afterwards afterwards, ByteBuf out) {
        out.writeBytes(StatusLine.of(head.status()));
        int fields = fields(head, out);
        if (chunked) {
            out.writeBytes(CHUNKED);
            fields++;
        }
        if (afterwards != Afterwards.KEEP) {
            out.writeBytes(afterwards == Afterwards.CLOSE ? CLOSE : KEEP_ALIVE);
            fields++;
        }
        out.writeShort(CRLF);
        return fields;
    }

    /** The line before a chunk of that many bytes. */
    static void chunkSize(int bytes, ByteBuf out) {
        ByteBufUtil.writeAscii(out, Integer.toHexString(bytes));
        out.writeShort(CRLF);
    }

    static void chunkEnd(ByteBuf out) {
        out.writeShort(CRLF);
    }

    /** The last chunk when trailers follow. */
    static void lastChunkSize(ByteBuf out) {
        out.writeByte('0');
        out.writeShort(CRLF);
    }

    /** The fields behind the last chunk and the end of the body. Returns the number of the fields. */
    static int trailers(Trailers trailers, ByteBuf out) {
        int fields = fields(trailers, out);
        out.writeShort(CRLF);
        return fields;
    }

    static void lastChunk(ByteBuf out) {
        out.writeBytes(LAST_CHUNK);
    }

    private static int fields(Head head, ByteBuf out) {
        byte[] bytes = head.bytes();
        int runStart = 0;
        int runEnd = 0;
        int written = 0;
        for (int i = 0; i < head.fields(); i++) {
            if (!head.present(i)) {
                continue;
            }
            written++;
            int start = head.nameStart(i);
            int end = head.valueStart(i) + head.valueLength(i);
            if (!head.verbatim(i)) {
                out.writeBytes(bytes, runStart, runEnd - runStart);
                runStart = 0;
                runEnd = 0;
                out.writeBytes(bytes, start, head.nameLength(i));
                out.writeShort(COLON_BLANK);
                out.writeBytes(bytes, head.valueStart(i), head.valueLength(i));
                out.writeShort(CRLF);
            } else if (start == runEnd) {
                runEnd = end + 2;
            } else {
                out.writeBytes(bytes, runStart, runEnd - runStart);
                runStart = start;
                runEnd = end + 2;
            }
        }
        out.writeBytes(bytes, runStart, runEnd - runStart);
        return written;
    }
}
