package dev.postern.core.transport.piece;

import io.netty.buffer.ByteBuf;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Joiner of the pieces of one read. A piece costs a relay a buffer, a frame and a write, so a sender of tiny pieces (chunks, DATA frames, TLS
 * records) could make each byte as expensive as a kilobyte. Small pieces are therefore copied into one buffer; a large one, or one that is
 * alone in its read, stays as it is. Empty pieces vanish.
 *
 * <p>The owner calls {@link #pass} at the end of each read, so that no byte waits for another read. Owns the buffers that it holds. Event
 * loop only.
 */
public final class PieceJoiner {

    /** Most bytes that are read from one connection in one pass of its event loop, and about the most that are joined. */
    public static final int MAX = 64 * 1024;

    /** Joiner where nothing arrives, such as that of a request without a body; holds nothing, and nothing is added to it. */
    public static final PieceJoiner NONE = new PieceJoiner(ByteBuf::release);

    /** Bytes from which on a piece is not copied: a buffer and a frame of its own cost less. */
    static final int LARGE = 4 * 1024;

    private static final int FIRST_CAPACITY = 256;

    private final Consumer<ByteBuf> taker;
    private @Nullable ByteBuf alone;
    private @Nullable ByteBuf joined;

    /** @param taker receives the joined pieces and the large ones in their order, and takes ownership; may call {@link #release} */
    public PieceJoiner(Consumer<ByteBuf> taker) {
        this.taker = taker;
    }

    /** Adds a piece and takes ownership; passes on what was held before when the piece can't be joined to it. */
    public void add(ByteBuf piece) {
        int n = piece.readableBytes();
        if (n == 0) {
            piece.release();
        } else if (n >= LARGE) {
            pass();
            taker.accept(piece);
        } else if (joined != null) {
            append(joined, piece);
        } else if (alone != null) {
            ByteBuf first = alone;
            alone = null;
            // Small at first: a receiver that pauses may hold many of them.
            joined = piece.alloc().directBuffer(Math.max(FIRST_CAPACITY, first.readableBytes() + n));
            append(joined, first);
            append(joined, piece);
        } else {
            alone = piece;
        }
    }

    private void append(ByteBuf to, ByteBuf piece) {
        to.writeBytes(piece);
        piece.release();
        if (to.readableBytes() >= MAX) {
            pass();
        }
    }

    /** Passes on what is held. */
    public void pass() {
        ByteBuf all = joined == null ? alone : joined;
        joined = null;
        alone = null;
        if (all != null) {
            taker.accept(all);
        }
    }

    /** Drops what is held. */
    public void release() {
        ByteBuf all = joined == null ? alone : joined;
        joined = null;
        alone = null;
        if (all != null) {
            all.release();
        }
    }
}
