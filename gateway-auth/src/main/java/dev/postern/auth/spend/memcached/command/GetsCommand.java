package dev.postern.auth.spend.memcached.command;

import dev.postern.auth.spend.store.StoreReply;
import java.nio.ByteBuffer;
import java.util.function.Consumer;

/** Command {@code gets} for one key. Confined to the thread of its connection. */
public final class GetsCommand extends MemcachedCommand {

    private final Consumer<GetsReply.Response> continuation;
    private final GetsReply reply = new GetsReply();

    /** @param continuation called on the thread of the connection */
    public GetsCommand(ByteBuffer bytes, long deadlineNanos, Consumer<GetsReply.Response> continuation) {
        super(bytes, deadlineNanos, GetsReply.LONGEST_LINE);
        this.continuation = continuation;
    }

    @Override
    protected void line(byte[] text, int length) throws UnexpectedReplyException {
        getsLine(reply, text, length);
    }

    @Override
    protected void data(byte next, int remaining) {
        reply.data(next, remaining);
    }

    @Override
    protected void settled(StoreReply storeReply) {
        GetsReply.Response response = reply.response();
        continuation.accept(response == null ? new GetsReply.Response(storeReply, null, 0) : response);
    }
}
