package dev.postern.auth.spend.memcached;

import dev.postern.auth.spend.remote.Fate;
import dev.postern.auth.spend.remote.Sending;
import java.nio.ByteBuffer;
import net.spy.memcached.ops.OperationException;

/** The {@code add} of an attempt, as spymemcached carries it. */
final class SpendCommand extends Command {

    private static final int LONGEST_LINE = 16;

    private final Attempt attempt;
    private final SpyPipe pipe;
    private final Sending sending;

    SpendCommand(Attempt attempt, SpyPipe pipe, ByteBuffer bytes, Sending sending) {
        super(bytes, attempt.deadlineNanos(), LONGEST_LINE);
        this.attempt = attempt;
        this.pipe = pipe;
        this.sending = sending;
    }

    @Override
    public void writing() {
        super.writing();
        sending.begin(System.nanoTime());
    }

    /** The library has it in its buffer, which goes to the kernel next. */
    @Override
    public void writeComplete() {
        super.writeComplete();
        sending.end(System.nanoTime());
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
