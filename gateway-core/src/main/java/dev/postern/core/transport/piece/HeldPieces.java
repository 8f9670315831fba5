package dev.postern.core.transport.piece;

import io.netty.buffer.ByteBuf;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/**
 * Queue of received data that waits for its reader. Pieces below 16 KiB are copied together, so that a waiting byte takes about a byte of
 * memory: a buffer for each tiny piece would take a hundred, and a slice would keep the whole read that it was cut from. Owns the buffers.
 * Plain object.
 */
public final class HeldPieces {

    /** Bytes from which on a piece is not copied: it keeps a read of at most four times its size. */
    static final int LARGE = 16 * 1024;

    private static final int FIRST_CAPACITY = 256;

    private @Nullable ArrayDeque<ByteBuf> buffers;
    private @Nullable ByteBuf tail;

    /** Adds a piece and takes ownership. */
    public void add(ByteBuf piece) {
        int n = piece.readableBytes();
        if (n == 0) {
            piece.release();
            return;
        }
        if (n >= LARGE) {
            tail = null;
            queue().add(piece);
            return;
        }
        ByteBuf to = tail;
        if (to == null || to.readableBytes() + n > PieceJoiner.MAX) {
            to = piece.alloc().directBuffer(Math.max(FIRST_CAPACITY, n));
            tail = to;
            queue().add(to);
        }
        to.writeBytes(piece);
        piece.release();
    }

    private ArrayDeque<ByteBuf> queue() {
        ArrayDeque<ByteBuf> all = buffers;
        if (all == null) {
            all = new ArrayDeque<>(4);
            buffers = all;
        }
        return all;
    }

    /** Returns the oldest data, which the caller then owns, or null when there is none. */
    @Nullable
    @SuppressWarnings("ReferenceEquality") // whether it is the same buffer; equals compares bytes
    public ByteBuf poll() {
        ByteBuf first = buffers == null ? null : buffers.poll();
        if (isEmpty()) {
            tail = null; // which was the last
        }
        return first;
    }

    public boolean isEmpty() {
        return buffers == null || buffers.isEmpty();
    }

    /** Returns the number of buffers that hold the data. */
    int buffers() {
        return buffers == null ? 0 : buffers.size();
    }

    /** Drops all data. */
    public void release() {
        for (ByteBuf data = poll(); data != null; data = poll()) {
            data.release();
        }
    }
}
