package dev.postern.core.http1.codec;

import dev.postern.core.http.HttpChars;
import dev.postern.core.http.HttpParseException;
import dev.postern.core.http.ResponseHead;
import dev.postern.core.http.Trailers;
import io.netty.buffer.ByteBuf;
import org.jspecify.annotations.Nullable;

/**
 * Decoder of the body of one message (RFC 9112 sections 6 and 7.1); data is sliced, never copied.
 *
 * <p>Chunk sizes and extensions are parsed strictly and dropped, since forwarded data is framed anew; trailers are parsed as strictly and
 * kept. Used by one connection at a time.
 */
public final class BodyDecoder {

    private static final int MAX_SIZE_DIGITS = 15;

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

    private State state = State.DONE;
    private long remaining;
    private int digits;
    private final ChunkExtensionParser parser = new ChunkExtensionParser();
    private final TrailerParser trailers = new TrailerParser();

    /** Begins a body of this length: bytes, {@link ResponseHead#CHUNKED} or {@link ResponseHead#UNTIL_CLOSE}. */
    public void begin(long length) {
        remaining = 0;
        digits = 0;
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

    /** Returns the next slice of data, retained for the caller, or null when the buffer has none. Throws {@link HttpParseException}. */
    @Nullable
    public ByteBuf next(ByteBuf in) {
        while (in.isReadable() && state != State.DONE) {
            switch (state) {
                case FIXED, DATA -> {
                    return counted(in);
                }
                case UNTIL_CLOSE -> {
                    return in.readRetainedSlice(in.readableBytes());
                }
                default -> framing(in.readByte());
            }
        }
        return null;
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
            if (++digits > MAX_SIZE_DIGITS) {
                throw HttpParseException.malformed("chunk size");
            }
            remaining = remaining * 16 + Character.digit(b, 16);
            return;
        }
        if (digits == 0) {
            throw HttpParseException.malformed("chunk size");
        }
        if (b == '\r') {
            state = State.SIZE_LF;
        } else if (b == ';') {
            state = State.EXTENSION;
            parser.begin();
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
