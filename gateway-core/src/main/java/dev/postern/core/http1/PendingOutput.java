package dev.postern.core.http1;

import io.netty.buffer.ByteBuf;
import java.util.ArrayDeque;
import java.util.function.Consumer;

/** What was written for a response whose turn has not come, in its order; owns the buffers until they are taken. */
final class PendingOutput {

    /** Bytes beyond which the upstream is paused. */
    private static final int MAX = 64 * 1024;

    private final ArrayDeque<ByteBuf> buffers = new ArrayDeque<>();
    private int bytes;

    void add(ByteBuf buffer) {
        bytes += buffer.readableBytes();
        buffers.add(buffer);
    }

    boolean full() {
        return bytes >= MAX;
    }

    void drainTo(Consumer<ByteBuf> taker) {
        buffers.forEach(taker);
        buffers.clear();
        bytes = 0;
    }
}
