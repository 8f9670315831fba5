package dev.postern.core.http2;

import dev.postern.core.exchange.RequestBody;
import dev.postern.core.http.RequestHead;
import dev.postern.core.http.Trailers;
import io.netty.buffer.ByteBuf;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/**
 * The body of one stream's request: what comes before anybody reads is held, and the client's window opens again only for what was taken,
 * so that never more is held than one window (RFC 9113 section 5.2). Event loop only.
 */
final class Http2RequestBody implements RequestBody {

    private final Source source;
    private final long declared;
    private @Nullable Reader reader;
    private @Nullable ArrayDeque<ByteBuf> held;
    private @Nullable Trailers trailers;
    private boolean paused;
    private boolean discarding;
    private boolean touched;
    private boolean complete;
    private boolean notified;
    private boolean broken;
    private long received;
    private long discarded;
    private long waitingSince;

    /** The connection, as far as a body needs it. */
    interface Source {

        /** So many bytes were taken: the client may send as many again. */
        void taken(int bytes);

        /** Somebody waits for a body of which nothing came. */
        void awaited();

        /** Whether the window of the whole connection is open for the client. */
        boolean open();
    }

    /** @param head says how long the body will be */
    Http2RequestBody(Source source, RequestHead head) {
        this.source = source;
        this.declared = head.mayTunnel() ? RequestHead.CHUNKED : head.bodyLength();
    }

    @Override
    public void read(Reader taker) {
        reader = taker;
        waitingSince = System.nanoTime();
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
        paused = true;
    }

    @Override
    public void resume() {
        if (paused) {
            paused = false;
            waitingSince = System.nanoTime();
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
     * A piece came; the buffer stays the caller's. Returns how many bytes of it were taken at once, or -1 when the body is longer or shorter
     * than was said (RFC 9113 section 8.1.1).
     */
    int came(ByteBuf data, boolean last) {
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
        if (n > 0 && reader != null && !paused && (held == null || held.isEmpty())) {
            waitingSince = System.nanoTime();
            touched = true;
            reader.data(data.retain());
            tellEnd();
            return n;
        }
        if (n > 0) {
            hold(data.retain());
        }
        tellEnd();
        return 0;
    }

    /** Trailers came: the body is complete; whether it is as long as was said. */
    boolean ended(Trailers behind) {
        trailers = behind;
        complete = true;
        if (declared >= 0 && received < declared) {
            return false;
        }
        tellEnd();
        return true;
    }

    private void hold(ByteBuf data) {
        ArrayDeque<ByteBuf> waiting = held;
        if (waiting == null) {
            waiting = new ArrayDeque<>(4);
            held = waiting;
        }
        waiting.add(data);
    }

    private void drain() {
        ArrayDeque<ByteBuf> waiting = held;
        while (waiting != null && !waiting.isEmpty() && !paused && !discarding && reader != null) {
            ByteBuf data = waiting.remove();
            touched = true;
            source.taken(data.readableBytes());
            reader.data(data);
        }
        tellEnd();
    }

    private void tellEnd() {
        Reader taker = reader;
        boolean drained = held == null || held.isEmpty();
        if (complete && drained && !notified && !discarding && !broken && taker != null) {
            notified = true;
            if (trailers != null) {
                taker.behind(trailers);
            }
            taker.end();
        }
    }

    /** Nobody will read the rest. */
    void discard() {
        discarding = true;
        reader = null;
        waitingSince = System.nanoTime();
        release(true);
    }

    /** The body will never be complete. */
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
        ArrayDeque<ByteBuf> waiting = held;
        held = null;
        if (waiting != null) {
            for (ByteBuf data : waiting) {
                if (openWindow) {
                    discarded += data.readableBytes();
                    source.taken(data.readableBytes());
                }
                data.release();
            }
        }
    }

    boolean complete() {
        return complete;
    }

    long discarded() {
        return discarded;
    }

    /** Bytes that are still to come as far as their number is known. */
    long outstanding() {
        return complete || declared < 0 ? 0 : declared - received;
    }

    /** Since when the next piece is awaited, of {@link System#nanoTime}; meaningless unless {@link #waits}. */
    long waitingSince() {
        return waitingSince;
    }

    /** Whether somebody waits for a piece that the client has not sent. */
    boolean waits() {
        return !complete && !broken && (discarding || (reader != null && !paused));
    }
}
