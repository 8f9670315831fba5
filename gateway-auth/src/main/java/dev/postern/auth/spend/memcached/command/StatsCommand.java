package dev.postern.auth.spend.memcached.command;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.postern.auth.spend.store.StoreReply;
import java.nio.ByteBuffer;
import java.util.function.Consumer;
import java.util.function.LongConsumer;

/** Command {@code stats} that reads a server's values about evictions. */
public final class StatsCommand extends MemcachedCommand {

    private static final String EVICTIONS = "STAT evictions ";
    private static final int LONGEST_LINE = 64;

    private final Consumer<String> continuation;

    private StatsCommand(String command, long deadlineNanos, Consumer<String> continuation) {
        super(ByteBuffer.wrap(command.getBytes(US_ASCII)), deadlineNanos, LONGEST_LINE);
        this.continuation = continuation;
    }

    /**
     * Returns a command that reads the number of evicted items.
     *
     * @param then called with the number on the connection's thread, and only if the server returns one
     */
    public static StatsCommand count(long deadlineNanos, LongConsumer then) {
        return new StatsCommand("stats\r\n", deadlineNanos, text -> then.accept(Long.parseLong(text)));
    }

    /** Returns a command that reads whether the server evicts items when full (it does unless started with -M); calls back likewise. */
    public static StatsCommand permission(long deadlineNanos, Consumer<Boolean> continuation) {
        return new StatsCommand("stats settings\r\n", deadlineNanos, text -> continuation.accept(text.equals("on")));
    }

    @Override
    protected void line(byte[] text, int length) throws UnexpectedReplyException {
        if (is(text, length, "END")) {
            settle(StoreReply.STORED);
        } else if (is(text, Math.min(length, EVICTIONS.length()), EVICTIONS)) {
            continuation.accept(new String(text, EVICTIONS.length(), length - EVICTIONS.length(), US_ASCII));
        } else if (!is(text, Math.min(length, 5), "STAT ")) {
            settle(StoreReply.REFUSED);
            throw new UnexpectedReplyException();
        }
    }

    @Override
    protected void settled(StoreReply reply) {}
}
