package dev.postern.core.http1.codec;

import dev.postern.core.http.Head;
import dev.postern.core.http.HeadLimits;
import dev.postern.core.http.HttpChars;
import dev.postern.core.http.HttpParseException;
import dev.postern.core.http.Refusal;
import dev.postern.core.http.SwarSearch;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;

/**
 * Parser of the lines of a head as bytes arrive, strict by construction (RFC 9112 sections 2.2, 3, 4 and 5): lines end in CRLF, no line is
 * folded, no name is followed by whitespace.
 *
 * <p>Copies the bytes into the head's own array once, in small pieces so that a large body behind the head is not copied. Thus an
 * incomplete head needs no buffer to be kept. Used by one connection at a time.
 *
 * @param <H> the kind of head
 */
public abstract class HeadParser<H extends Head> {

    private static final int PIECE = 1024;

    private final HeadLimits limits;
    private H head;
    private int position;
    private int copied;
    private int searched;
    private boolean startLineRead;

    public HeadParser(HeadLimits limits, H head) {
        this.limits = limits;
        this.head = head;
    }

    /** Reads the start line in {@code [start, end)} of {@code bytes}. */
    protected abstract void startLine(H head, byte[] bytes, int start, int end);

    /** Checks the complete head and derives the framing. */
    protected abstract void complete(H head);

    /** Returns the refusal when the start line alone exceeds the limit. */
    protected abstract Refusal startLineTooLong();

    /** Checks the first byte, before any line end is known; throws {@link HttpParseException} for one that can't begin a head. */
    protected void firstByte(byte first) {}

    public H head() {
        return head;
    }

    /** Returns the bytes of an incomplete head so far. */
    public ByteBuf sofar() {
        return Unpooled.wrappedBuffer(head.bytes(), 0, copied);
    }

    /** Returns whether a head was read in part. */
    public boolean begun() {
        return copied > 0;
    }

    /** Prepares for the next head, which is read into {@code next}. */
    public void begin(H next) {
        position = 0;
        copied = 0;
        searched = 0;
        startLineRead = false;
        head = next;
        head.reset();
    }

    /** Parses the buffer; true when the head is complete, with the buffer at the first byte after it. Throws {@link HttpParseException}. */
    public boolean scan(ByteBuf in) {
        int limit = limits.bytes();
        while (true) {
            int piece = Math.min(in.readableBytes(), Math.min(PIECE, limit - copied));
            if (piece == 0) {
                if (copied >= limit) {
                    throw new HttpParseException(
                            startLineRead ? Refusal.HEAD_TOO_LARGE : startLineTooLong(), "head beyond " + limit);
                }
                return false;
            }
            int offset = head.reserve(piece);
            in.readBytes(head.bytes(), offset, piece);
            copied = offset + piece;
            firstByte(head.bytes()[0]);
            if (lines()) {
                // Bytes copied beyond the head belong to the body and are still in this buffer.
                in.readerIndex(in.readerIndex() - (copied - position));
                copied = 0;
                Framing.boundOptions(head, limits.connectionOptions());
                complete(head);
                return true;
            }
        }
    }

    private boolean lines() {
        byte[] bytes = head.bytes();
        while (true) {
            int lineFeed = indexOfLineFeed(bytes);
            if (lineFeed < 0) {
                return false;
            }
            int end = lineFeed - 1;
            if (end < position || bytes[end] != '\r') {
                throw HttpParseException.malformed("bare LF");
            }
            int start = position;
            position = lineFeed + 1;
            searched = position;
            if (!startLineRead) {
                if (end > start) {
                    startLine(head, bytes, start, end);
                    startLineRead = true;
                } else if (start > 0) {
                    throw HttpParseException.malformed("empty lines before the start line");
                }
            } else if (end == start) {
                return true;
            } else {
                field(bytes, start, end);
            }
        }
    }

    private int indexOfLineFeed(byte[] bytes) {
        int found = SwarSearch.lineFeed(bytes, searched, copied);
        if (found < 0) {
            searched = copied;
        }
        return found;
    }

    private void field(byte[] bytes, int start, int end) {
        int hash = 0;
        int i = start;
        while (i < end && bytes[i] != ':') {
            byte b = bytes[i];
            if (!HttpChars.token(b)) {
                throw HttpParseException.malformed(
                        i == start && (b == ' ' || b == '\t') ? "folded line" : "field name");
            }
            hash = 31 * hash + (b | 0x20);
            i++;
        }
        if (i == start || i == end) {
            throw HttpParseException.malformed("field without a name");
        }
        int nameEnd = i++;
        while (i < end && (bytes[i] == ' ' || bytes[i] == '\t')) {
            i++;
        }
        int valueStart = i;
        int valueEnd = end;
        while (valueEnd > valueStart && (bytes[valueEnd - 1] == ' ' || bytes[valueEnd - 1] == '\t')) {
            valueEnd--;
        }
        if (SwarSearch.value(bytes, i, valueEnd) < valueEnd) {
            throw HttpParseException.malformed("control character in a field");
        }
        if (head.fields() >= limits.fields()) {
            throw new HttpParseException(Refusal.HEAD_TOO_LARGE, "fields beyond " + limits.fields());
        }
        head.field(start, nameEnd, valueStart, valueEnd, hash);
    }
}
