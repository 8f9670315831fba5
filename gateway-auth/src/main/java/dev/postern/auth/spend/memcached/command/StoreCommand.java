package dev.postern.auth.spend.memcached.command;

import dev.postern.auth.spend.store.StoreReply;
import java.nio.ByteBuffer;
import java.util.function.Consumer;

/** Command {@code add}, {@code set} or {@code cas} outside of spends: for epoch markers and refunds. */
public final class StoreCommand extends MemcachedCommand {

    private static final int LONGEST_LINE = 32;

    private final Consumer<StoreReply> continuation;

    /** @param continuation called on the thread of the connection */
    public StoreCommand(ByteBuffer bytes, long deadlineNanos, Consumer<StoreReply> continuation) {
        super(bytes, deadlineNanos, LONGEST_LINE);
        this.continuation = continuation;
    }

    @Override
    protected void line(byte[] text, int length) throws UnexpectedReplyException {
        settle(storeReply(text, length));
    }

    @Override
    protected void settled(StoreReply reply) {
        continuation.accept(reply);
    }
}
