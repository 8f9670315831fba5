package dev.postern.core.http1;

import io.netty.buffer.ByteBuf;
import java.util.ArrayDeque;
import java.util.function.Consumer;

/** Output of a response that waits for earlier responses, in order; owns the buffers until they are drained. */
final class PendingOutput {

    /** Number of bytes beyond which the upstream is paused. */
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
