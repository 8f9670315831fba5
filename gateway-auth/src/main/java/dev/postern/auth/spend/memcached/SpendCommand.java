package dev.postern.auth.spend.memcached;

import dev.postern.auth.spend.remote.Fate;
import java.nio.ByteBuffer;
import net.spy.memcached.ops.OperationException;

/** The {@code add} of an attempt, as spymemcached carries it. */
final class SpendCommand extends Command {

    private static final int LONGEST_LINE = 16;

    private final Attempt attempt;
    private final SpyPipe pipe;

    SpendCommand(Attempt attempt, SpyPipe pipe, ByteBuffer bytes) {
        super(bytes, attempt.deadlineNanos(), LONGEST_LINE);
        this.attempt = attempt;
        this.pipe = pipe;
    }

    @Override
    void line(byte[] text, int length) throws OperationException {
        settle(fateOf(text, length));
    }

    @Override
    void settled(Fate how) {
        pipe.leave();
        attempt.settled(how, pipe);
    }
}
