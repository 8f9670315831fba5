package dev.postern.core.http2;

import dev.postern.core.http.Trailers;
import io.netty.buffer.ByteBuf;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/** What came of a response while its client took nothing: one window of data at most, and what stood behind it. Owns the buffers. Plain object. */
public final class PausedResponseBuffer {

    private @Nullable ArrayDeque<ByteBuf> pieces;
    private @Nullable Trailers trailers;
    private boolean paused;

    /** A new exchange begins. */
    public void begin() {
        release();
        paused = false;
    }

    public void pause() {
        paused = true;
    }

    public void resume() {
        paused = false;
    }

    /** Whether what comes now has to wait, or something does. */
    public boolean holds() {
        return paused || (pieces != null && !pieces.isEmpty());
    }

    public void add(ByteBuf data) {
        ArrayDeque<ByteBuf> all = pieces;
        if (all == null) {
            all = new ArrayDeque<>(4);
            pieces = all;
        }
        all.add(data);
    }

    /** The next piece, which is the caller's then; null when there is none, or nobody takes it. */
    @Nullable
    public ByteBuf next() {
        return paused || pieces == null ? null : pieces.poll();
    }

    public void trailers(Trailers value) {
        trailers = value;
    }

    @Nullable
    public Trailers takeTrailers() {
        Trailers taken = trailers;
        trailers = null;
        return taken;
    }

    public void release() {
        trailers = null;
        if (pieces != null) {
            pieces.forEach(ByteBuf::release);
            pieces.clear();
        }
    }
}
