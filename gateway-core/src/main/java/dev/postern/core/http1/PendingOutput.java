package dev.postern.core.http1;

import dev.postern.core.transport.piece.HeldPieces;
import io.netty.buffer.ByteBuf;
import java.util.function.Consumer;

/** Output of a response that waits for earlier responses, in order; owns the buffers until they are drained. */
final class PendingOutput {

    /** Number of bytes beyond which the upstream is paused. */
    private static final int MAX = 64 * 1024;

    private final HeldPieces pieces = new HeldPieces();
    private int bytes;

    void add(ByteBuf buffer) {
        bytes += buffer.readableBytes();
        pieces.add(buffer);
    }

    int bytes() {
        return bytes;
    }

    boolean full() {
        return bytes >= MAX;
    }

    void drainTo(Consumer<ByteBuf> taker) {
        for (ByteBuf next = pieces.poll(); next != null; next = pieces.poll()) {
            taker.accept(next);
        }
        bytes = 0;
    }
}
