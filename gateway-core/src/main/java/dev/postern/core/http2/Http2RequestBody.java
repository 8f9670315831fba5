package dev.postern.core.http2;

import dev.postern.core.exchange.RequestBody;
import dev.postern.core.http.RequestHead;
import dev.postern.core.http.Trailers;
import dev.postern.core.transport.piece.HeldPieces;
import io.netty.buffer.ByteBuf;
import io.netty.util.concurrent.Ticker;
import org.jspecify.annotations.Nullable;

/**
 * Body of one stream's request. Holds the data that arrives before it is read, and opens the client's window only for consumed data, so
 * that at most one window is held (RFC 9113 section 5.2). Event loop only.
 */
final class Http2RequestBody implements RequestBody {

    private final Source source;
    private final long declared;
    private final Ticker ticker;
    private final HeldPieces held = new HeldPieces();
    private @Nullable Reader reader;
    private @Nullable Trailers trailers;
    private boolean paused;
    private boolean discarding;
    private boolean pausable = true;
    private boolean touched;
    private boolean passedOn;
    private boolean complete;
    private boolean notified;
    private boolean broken;
    private long received;
    private long discarded;
    private long waitingSince;

    /** Connection, as a request body sees it. */
    interface Source {

        /** Reports consumed bytes, which the client may send again. */
        void taken(int bytes);

        /** Reports that a reader waits for a body of which nothing has arrived. */
        void awaited();

        /** Reports that the reader got a first piece of this read; the connection calls {@link #readComplete} at its end. */
        void passedOn(Http2RequestBody body);

        /** Returns whether the client may send within the window of the connection. */
        boolean open();
    }

    /**
     * @param head contains the length of the body
     * @param ticker of the event loop
     */
    Http2RequestBody(Source source, RequestHead head, Ticker ticker) {
        this.source = source;
        this.ticker = ticker;
        this.declared = head.mayTunnel() ? RequestHead.CHUNKED : head.bodyLength();
    }

    @Override
    public void read(Reader taker) {
        reader = taker;
        waitingSince = ticker.nanoTime();
        if (broken) {
            taker.broken();
            return;
        }
        if (received == 0 && !complete) {
            source.awaited();
        }
        drain();
    }

    @Override
    public void pause() {
        paused = pausable;
    }

    @Override
    public void resume() {
        if (paused) {
            paused = false;
            waitingSince = ticker.nanoTime();
            drain();
        }
    }

    @Override
    public boolean sendable() {
        return source.open();
    }

    @Override
    public boolean untouched() {
        return !touched && !notified;
    }

    /**
     * Handles a piece of the body; the caller keeps the buffer. Returns how many bytes were consumed at once, or -1 when the body is longer
     * or shorter than its Content-Length (RFC 9113 section 8.1.1).
     */
    int received(ByteBuf data, boolean last) {
        int n = data.readableBytes();
        received += n;
        if (declared >= 0 && (received > declared || (last && received < declared))) {
            return -1;
        }
        complete |= last;
        if (discarding || broken) {
            discarded += n;
            return n;
        }
        if (n > 0 && reader != null && !paused && held.isEmpty()) {
            if (!passedOn) { // once for each read, however many frames it brings
                passedOn = true;
                waitingSince = ticker.nanoTime();
                touched = true;
                source.passedOn(this);
            }
            reader.data(data.retain());
            tellEnd();
            return n;
        }
        if (n > 0) {
            held.add(data.retain());
        }
        tellEnd();
        return 0;
    }

    /** Handles trailers, which complete the body. Returns false when the body is shorter than its Content-Length. */
    boolean ended(Trailers trailerSection) {
        trailers = trailerSection;
        complete = true;
        if (declared >= 0 && received < declared) {
            return false;
        }
        tellEnd();
        return true;
    }

    /** Signals that all frames of one read of the connection were handled. */
    void readComplete() {
        passedOn = false;
        Reader taker = reader;
        if (taker != null) {
            taker.bodyReadComplete();
        }
    }

    private void drain() {
        boolean some = false;
        while (!paused && !discarding && reader != null) {
            ByteBuf data = held.poll();
            if (data == null) {
                break;
            }
            some = true;
            touched = true;
            source.taken(data.readableBytes());
            reader.data(data);
        }
        tellEnd();
        Reader taker = reader;
        if (some && taker != null) {
            taker.bodyReadComplete();
        }
    }

    private void tellEnd() {
        Reader taker = reader;
        if (complete && held.isEmpty() && !notified && !discarding && !broken && taker != null) {
            notified = true;
            if (trailers != null) {
                taker.behind(trailers);
            }
            taker.end();
        }
    }

    /** Discards the rest of the body because it has no reader any more. */
    void discard() {
        discarding = true;
        reader = null;
        waitingSince = ticker.nanoTime();
        release(true);
    }

    /** Hands what is held of a complete body to its reader, even to a paused one, because the end of the exchange would drop the bytes. */
    void handOver() {
        pausable = false;
        paused = false;
        drain();
    }

    /** Fails the body, which will never be complete. */
    void fail() {
        if (broken || notified) {
            return;
        }
        broken = true;
        release(false);
        Reader taker = reader;
        reader = null;
        if (taker != null) {
            taker.broken();
        }
    }

    private void release(boolean openWindow) {
        for (ByteBuf data = held.poll(); data != null; data = held.poll()) {
            if (openWindow) {
                discarded += data.readableBytes();
                source.taken(data.readableBytes());
            }
            data.release();
        }
    }

    boolean complete() {
        return complete;
    }

    long discarded() {
        return discarded;
    }

    /** Returns the bytes still expected, or 0 when the length is not known. */
    long outstanding() {
        return complete || declared < 0 ? 0 : declared - received;
    }

    /** Returns since when the next piece is awaited, by the ticker; meaningless unless {@link #waits}. */
    long waitingSince() {
        return waitingSince;
    }

    /** Returns whether the reader, or the discarding of the body, waits for a piece that the client has not sent. */
    boolean waits() {
        return !complete && !broken && (discarding || (reader != null && !paused));
    }
}
