package dev.postern.auth.spend.memcached;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.postern.auth.spend.remote.Fate;
import java.nio.ByteBuffer;
import java.util.function.LongConsumer;
import net.spy.memcached.ops.OperationErrorType;
import net.spy.memcached.ops.OperationException;

/** Asks a server how many items it has evicted. */
final class StatsCommand extends Command {

    private static final byte[] BYTES = "stats\r\n".getBytes(US_ASCII);
    private static final String EVICTIONS = "STAT evictions ";
    private static final int LONGEST_LINE = 64;

    private final LongConsumer then;

    /** @param then called on the connection's thread, and only when the server says it */
    StatsCommand(long deadlineNanos, LongConsumer then) {
        super(ByteBuffer.wrap(BYTES), deadlineNanos, LONGEST_LINE);
        this.then = then;
    }

    @Override
    void line(byte[] text, int length) throws OperationException {
        if (is(text, length, "END")) {
            settle(Fate.STORED);
        } else if (is(text, Math.min(length, EVICTIONS.length()), EVICTIONS)) {
            then.accept(Long.parseLong(new String(text, EVICTIONS.length(), length - EVICTIONS.length(), US_ASCII)));
        } else if (!is(text, Math.min(length, 5), "STAT ")) {
            settle(Fate.REFUSED);
            throw new OperationException(OperationErrorType.GENERAL, "unexpected answer");
        }
    }

    @Override
    void settled(Fate fate) {}
}
