package dev.postern.core.http1.codec;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.postern.core.http.Head;
import dev.postern.core.http.RequestHead;
import dev.postern.core.http.ResponseHead;
import dev.postern.core.http.Trailers;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Writer of heads (RFC 9112); copies adjacent fields in one run, and validates each head before it is sent.
 *
 * <p>Writes and validates in its own array, where both are cheap, then copies into the buffer that is sent. One for each event loop.
 */
public final class HeadWriter {

    private static final byte[] VERSION = " HTTP/1.1\r\n".getBytes(US_ASCII);
    private static final byte[] CHUNKED = "transfer-encoding: chunked\r\n".getBytes(US_ASCII);
    private static final byte[] CLOSE = "connection: close\r\n".getBytes(US_ASCII);
    private static final byte[] KEEP_ALIVE = "connection: keep-alive\r\n".getBytes(US_ASCII);
    private static final byte[] COLON_BLANK = ": ".getBytes(US_ASCII);
    private static final byte[] LINE_END = "\r\n".getBytes(US_ASCII);

    /** Maximum bytes beyond {@link Head#size}: start line, framing, end. */
    private static final int EXTRA = 160;

    private final OutboundHeadValidator validator = new OutboundHeadValidator();
    private byte[] bytes = new byte[2048];
    private int end;

    /** Persistence of the connection after a response, as the Connection field states. */
    public enum Afterwards {
        KEEP,
        KEEP_SAID,
        CLOSE
    }

    /**
     * Writes a request head for the upstream; null when the head could be read in two ways. The framing fields of the head must fit its
     * body.
     */
    @Nullable
    public ByteBuf request(RequestHead head, ByteBufAllocator allocator) {
        begin(head);
        ascii(head.method().name());
        bytes[end++] = ' ';
        add(head.bytes(), head.targetStart(), head.targetEnd() - head.targetStart());
        add(VERSION);
        int fields = fields(head);
        if (head.bodyLength() == RequestHead.CHUNKED) {
            add(CHUNKED);
            fields++;
        }
        add(LINE_END);
        return validator.request(bytes, end, fields) ? written(allocator, 0) : null;
    }

    /**
     * Writes a response head for the client; null when the head could be read in two ways.
     *
     * @param room writable bytes of the buffer behind the head
     */
    @Nullable
    public ByteBuf response(
            ResponseHead head, boolean chunked, Afterwards afterwards, int room, ByteBufAllocator allocator) {
        begin(head);
        add(StatusLine.of(head.status()));
        int fields = fields(head);
        if (chunked) {
            add(CHUNKED);
            fields++;
        }
        if (afterwards != Afterwards.KEEP) {
            add(afterwards == Afterwards.CLOSE ? CLOSE : KEEP_ALIVE);
            fields++;
        }
        add(LINE_END);
        return validator.response(bytes, end, fields) ? written(allocator, room) : null;
    }

    /** Writes trailers and the end of the body; null when they could be read in two ways. */
    @Nullable
    public ByteBuf trailers(Trailers trailers, ByteBufAllocator allocator) {
        begin(trailers);
        int fields = fields(trailers);
        add(LINE_END);
        return validator.trailers(bytes, end, fields) ? written(allocator, 0) : null;
    }

    /** Copies a small body behind a head; through the array, since Netty's copy between buffers creates two views. */
    public void append(ByteBuf data, ByteBuf out) {
        int n = data.readableBytes();
        ensure(n);
        data.readBytes(bytes, 0, n);
        out.writeBytes(bytes, 0, n);
    }

    private void begin(Head head) {
        end = 0;
        ensure(head.size() + EXTRA);
    }

    private void ensure(int max) {
        if (max > bytes.length) {
            bytes = new byte[max];
        }
    }

    private ByteBuf written(ByteBufAllocator allocator, int room) {
        return allocator.directBuffer(end + room).writeBytes(bytes, 0, end);
    }

    private int fields(Head head) {
        byte[] from = head.bytes();
        int runStart = 0;
        int runEnd = 0;
        int written = 0;
        for (int i = 0; i < head.fields(); i++) {
            if (!head.present(i)) {
                continue;
            }
            written++;
            int start = head.nameStart(i);
            int after = head.valueStart(i) + head.valueLength(i) + LINE_END.length;
            if (!head.verbatim(i)) {
                add(from, runStart, runEnd - runStart);
                runStart = 0;
                runEnd = 0;
                add(from, start, head.nameLength(i));
                add(COLON_BLANK);
                add(from, head.valueStart(i), head.valueLength(i));
                add(LINE_END);
            } else if (start == runEnd) {
                runEnd = after;
            } else {
                add(from, runStart, runEnd - runStart);
                runStart = start;
                runEnd = after;
            }
        }
        add(from, runStart, runEnd - runStart);
        return written;
    }

    private void add(byte[] all) {
        add(all, 0, all.length);
    }

    private void add(byte[] from, int start, int length) {
        System.arraycopy(from, start, bytes, end, length);
        end += length;
    }

    private void ascii(String text) {
        for (int i = 0; i < text.length(); i++) {
            bytes[end++] = (byte) text.charAt(i);
        }
    }

    /** Status line for each status, with the reason phrases of RFC 9110 section 15. */
    private static final class StatusLine {

        private static final Map<Integer, String> REASONS = Map.ofEntries(
                Map.entry(100, "Continue"),
                Map.entry(101, "Switching Protocols"),
                Map.entry(103, "Early Hints"),
                Map.entry(200, "OK"),
                Map.entry(201, "Created"),
                Map.entry(202, "Accepted"),
                Map.entry(204, "No Content"),
                Map.entry(206, "Partial Content"),
                Map.entry(301, "Moved Permanently"),
                Map.entry(302, "Found"),
                Map.entry(303, "See Other"),
                Map.entry(304, "Not Modified"),
                Map.entry(307, "Temporary Redirect"),
                Map.entry(308, "Permanent Redirect"),
                Map.entry(400, "Bad Request"),
                Map.entry(401, "Unauthorized"),
                Map.entry(403, "Forbidden"),
                Map.entry(404, "Not Found"),
                Map.entry(405, "Method Not Allowed"),
                Map.entry(407, "Proxy Authentication Required"),
                Map.entry(408, "Request Timeout"),
                Map.entry(413, "Content Too Large"),
                Map.entry(414, "URI Too Long"),
                Map.entry(417, "Expectation Failed"),
                Map.entry(421, "Misdirected Request"),
                Map.entry(429, "Too Many Requests"),
                Map.entry(431, "Request Header Fields Too Large"),
                Map.entry(500, "Internal Server Error"),
                Map.entry(501, "Not Implemented"),
                Map.entry(502, "Bad Gateway"),
                Map.entry(503, "Service Unavailable"),
                Map.entry(504, "Gateway Timeout"),
                Map.entry(505, "HTTP Version Not Supported"));

        private static final byte[][] LINES = new byte[1000][];

        static {
            for (int status = 100; status < LINES.length; status++) {
                LINES[status] =
                        ("HTTP/1.1 " + status + " " + REASONS.getOrDefault(status, "") + "\r\n").getBytes(US_ASCII);
            }
        }

        private StatusLine() {}

        /** Returns the line of the status (100..999) with its CRLF. */
        static byte[] of(int status) {
            return LINES[status];
        }
    }
}
