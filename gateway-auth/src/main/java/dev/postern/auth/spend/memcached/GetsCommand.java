package dev.postern.auth.spend.memcached;

import dev.postern.auth.spend.store.StoreReply;
import java.nio.ByteBuffer;
import java.util.function.Consumer;
import net.spy.memcached.ops.OperationException;

/** Command {@code gets} for one key. */
final class GetsCommand extends MemcachedCommand {

    private final Consumer<GetsReply.Response> continuation;
    private final GetsReply reply = new GetsReply();

    /** @param continuation called on the library's I/O thread */
    GetsCommand(ByteBuffer bytes, long deadlineNanos, Consumer<GetsReply.Response> continuation) {
        super(bytes, deadlineNanos, GetsReply.LONGEST_LINE);
        this.continuation = continuation;
    }

    @Override
    void line(byte[] text, int length) throws OperationException {
        int size;
        try {
            size = reply.line(text, length);
        } catch (OperationException e) {
            settle(StoreReply.REFUSED);
            throw e;
        }
        if (size >= 0) {
            expectData(size);
        } else {
            settle(StoreReply.STORED);
        }
    }

    @Override
    void data(byte next, int left) {
        reply.data(next, left);
    }

    @Override
    void settled(StoreReply storeReply) {
        GetsReply.Response response = reply.response();
        continuation.accept(response == null ? new GetsReply.Response(storeReply, null, 0) : response);
    }
}
