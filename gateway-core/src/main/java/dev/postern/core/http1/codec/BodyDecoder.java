package dev.postern.core.http1.codec;

import dev.postern.core.http.HttpChars;
import dev.postern.core.http.HttpParseException;
import dev.postern.core.http.ResponseHead;
import dev.postern.core.http.Trailers;
import io.netty.buffer.ByteBuf;
import org.jspecify.annotations.Nullable;

/**
 * Decoder of the body of one message (RFC 9112 sections 6 and 7.1); data is sliced, and copied only from small chunks.
 *
 * <p>Chunk sizes and extensions are parsed strictly and dropped, since forwarded data is framed anew; trailers are parsed as strictly and
 * kept. Of responses, spellings of a chunk line are accepted that real servers send and that end where every reader ends them (docs/http.md);
 * a request with one is refused, because the server behind could read it in another way. Used by one connection at a time.
 */
public final class BodyDecoder {

    private static final int MAX_SIZE_DIGITS = 15;

    /** Size to which no digit can be added within {@link #MAX_SIZE_DIGITS}. */
    private static final long MAX_QUOTIENT = 1L << 4 * (MAX_SIZE_DIGITS - 1);

    /** Digits of a size in a response, which some servers pad with zeros. */
    private static final int MAX_PADDED_DIGITS = 32;

    /** Bytes of a chunk below which its data is joined to that of the chunks around it: a slice costs more than copying them. */
    private static final int SMALL = 1024;

    /** Bytes of the end of a chunk and of another chunk at least. */
    private static final int SMALLEST_CHUNK = 6;

    private enum State {
        FIXED,
        UNTIL_CLOSE,
        SIZE,
        EXTENSION,
        SIZE_LF,
        DATA,
        DATA_CR,
        DATA_LF,
        TRAILER,
        TRAILER_LF,
        DONE
    }

    private final boolean ofResponses;
    private final ChunkExtensionParser parser;
    private final TrailerParser trailers = new TrailerParser();
    private State state = State.DONE;
    private long remaining;
    private int digits;
    private @Nullable HttpParseException fault;

    private BodyDecoder(boolean ofResponses) {
        this.ofResponses = ofResponses;
        this.parser = new ChunkExtensionParser(ofResponses);
    }

    /** Creates a decoder of requests. */
    public BodyDecoder() {
        this(false);
    }

    /** Creates a decoder of responses. */
    public static BodyDecoder ofResponses() {
        return new BodyDecoder(true);
    }

    /** Begins a body of this length: bytes, {@link ResponseHead#CHUNKED} or {@link ResponseHead#UNTIL_CLOSE}. */
    public void begin(long length) {
        remaining = 0;
        digits = 0;
        fault = null;
        trailers.begin();
        if (length == ResponseHead.CHUNKED) {
            state = State.SIZE;
        } else if (length == ResponseHead.UNTIL_CLOSE) {
            state = State.UNTIL_CLOSE;
        } else {
            remaining = length;
            state = length == 0 ? State.DONE : State.FIXED;
        }
    }

    public boolean done() {
        return state == State.DONE;
    }

    /** Returns the trailers once the body is done; null when there were none. */
    @Nullable
    public Trailers trailers() {
        return trailers.found();
    }

    /** Returns whether the body is complete when the connection closes now. */
    public boolean completeAtClose() {
        return state == State.DONE || state == State.UNTIL_CLOSE;
    }

    /** Returns whether the whole buffer is data, which then needs no slice. */
    public boolean takesAll(ByteBuf in) {
        int n = in.readableBytes();
        boolean all = (state == State.FIXED || state == State.DATA) && n <= remaining && n > 0;
        if (all) {
            take(n);
        }
        return all;
    }

    /**
     * Returns the next data, which the caller releases, or null when the buffer has none: a slice, or a copy of the data of several small
     * chunks. Throws {@link HttpParseException}, after the data before the fault was returned.
     */
    @Nullable
    public ByteBuf next(ByteBuf in) {
        if (fault != null) {
            throw fault;
        }
        while (in.isReadable() && state != State.DONE) {
            switch (state) {
                case FIXED -> {
                    return counted(in);
                }
                case DATA -> {
                    ByteBuf data = counted(in);
                    return data.readableBytes() < SMALL && in.readableBytes() > SMALLEST_CHUNK
                            ? joined(data, in)
                            : data;
                }
                case UNTIL_CLOSE -> {
                    return in.readRetainedSlice(in.readableBytes());
                }
                default -> framing(in.readByte());
            }
        }
        return null;
    }

    /** Joins the data of the small chunks that follow to the data of a small chunk. */
    private ByteBuf joined(ByteBuf first, ByteBuf in) {
        ByteBuf all = in.alloc().directBuffer(SMALL);
        all.writeBytes(first);
        first.release();
        byte[] block = new byte[Math.min(SMALL, in.readableBytes())];
        while (in.isReadable() && state != State.DONE && fault == null && !large(in.readableBytes())) {
            all.writeBytes(block, 0, joined(block, in));
        }
        return all;
    }

    /** Returns whether the data that comes next is large enough for a slice. */
    private boolean large(int available) {
        return state == State.DATA && Math.min(remaining, available) >= SMALL;
    }

    /** Takes a block of the buffer and moves its data to its begin; returns the length of this data. An array is read several times faster. */
    private int joined(byte[] block, ByteBuf in) {
        int available = in.readableBytes();
        int end = Math.min(block.length, available);
        in.getBytes(in.readerIndex(), block, 0, end);
        int from = 0;
        int to = 0;
        try {
            while (from < end && state != State.DONE && !large(available - from)) {
                if (state == State.DATA) {
                    int n = (int) Math.min(remaining, end - from);
                    System.arraycopy(block, from, block, to, n);
                    take(n);
                    from += n;
                    to += n;
                } else {
                    framing(block[from]);
                    from++;
                }
            }
        } catch (HttpParseException e) {
            fault = e; // not all is read: the caller asks again
        }
        in.skipBytes(from);
        return to;
    }

    private ByteBuf counted(ByteBuf in) {
        int n = (int) Math.min(remaining, in.readableBytes());
        take(n);
        return in.readRetainedSlice(n);
    }

    private void take(int n) {
        remaining -= n;
        if (remaining == 0) {
            state = state == State.FIXED ? State.DONE : State.DATA_CR;
        }
    }

    private void framing(byte b) {
        switch (state) {
            case SIZE -> size(b);
            case EXTENSION -> {
                if (!parser.goesOn(b)) {
                    state = State.SIZE_LF;
                }
            }
            case SIZE_LF -> {
                expect(b, '\n');
                state = remaining == 0 ? State.TRAILER : State.DATA;
            }
            case DATA_CR -> {
                expect(b, '\r');
                state = State.DATA_LF;
            }
            case DATA_LF -> {
                expect(b, '\n');
                state = State.SIZE;
                digits = 0;
            }
            case TRAILER -> trailer(b);
            case TRAILER_LF -> {
                expect(b, '\n');
                state = trailers.lineEnded() ? State.TRAILER : State.DONE;
            }
            default -> throw new IllegalStateException(state.name());
        }
    }

    private void size(byte b) {
        if (HttpChars.hex(b)) {
            boolean bounded = ++digits <= (ofResponses ? MAX_PADDED_DIGITS : MAX_SIZE_DIGITS);
            if (!bounded || remaining >= MAX_QUOTIENT) {
                throw HttpParseException.malformed("chunk size");
            }
            remaining = remaining * 16 + HttpChars.digit(b);
            return;
        }
        if (digits == 0) {
            throw HttpParseException.malformed("chunk size");
        }
        if (b == '\r') {
            state = State.SIZE_LF;
        } else if (b == ';' || (ofResponses && (b == ' ' || b == '\t'))) {
            state = State.EXTENSION;
            parser.begin(b);
        } else {
            throw HttpParseException.malformed("chunk size");
        }
    }

    private void trailer(byte b) {
        if (b == '\r') {
            state = State.TRAILER_LF;
        } else {
            trailers.take(b);
        }
    }

    private static void expect(byte found, char wanted) {
        if (found != wanted) {
            throw HttpParseException.malformed("chunk framing");
        }
    }
}
