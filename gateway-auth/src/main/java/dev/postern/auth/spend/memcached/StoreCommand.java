package dev.postern.auth.spend.memcached;

import dev.postern.auth.spend.store.StoreReply;
import java.nio.ByteBuffer;
import java.util.function.Consumer;
import net.spy.memcached.ops.OperationException;

/** Command {@code add}, {@code set} or {@code cas} outside of spends: for epoch markers and refunds. */
final class StoreCommand extends MemcachedCommand {

    private static final int LONGEST_LINE = 32;

    private final Consumer<StoreReply> continuation;

    /** @param continuation called on the library's I/O thread */
    StoreCommand(ByteBuffer bytes, long deadlineNanos, Consumer<StoreReply> continuation) {
        super(bytes, deadlineNanos, LONGEST_LINE);
        this.continuation = continuation;
    }

    @Override
    void line(byte[] text, int length) throws OperationException {
        settle(fateOf(text, length));
    }

    @Override
    void settled(StoreReply reply) {
        continuation.accept(reply);
    }
}
