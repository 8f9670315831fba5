package dev.postern.core.http2;

import dev.postern.core.http.Trailers;
import dev.postern.core.transport.piece.HeldPieces;
import io.netty.buffer.ByteBuf;
import org.jspecify.annotations.Nullable;

/** Buffer for a response while its client reads nothing: at most one window of data, and the trailers. Owns the buffers. Plain object. */
public final class PausedResponseBuffer {

    private final HeldPieces pieces = new HeldPieces();
    private @Nullable Trailers trailers;
    private boolean paused;

    /** Clears the buffer for a new exchange. */
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

    /** Returns whether new data must wait, because reading is paused or older data is held. */
    public boolean holds() {
        return paused || !pieces.isEmpty();
    }

    public void add(ByteBuf data) {
        pieces.add(data);
    }

    /** Returns the next piece, which the caller then owns, or null when there is none or reading is paused. */
    @Nullable
    public ByteBuf next() {
        return paused ? null : pieces.poll();
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
        pieces.release();
    }
}
