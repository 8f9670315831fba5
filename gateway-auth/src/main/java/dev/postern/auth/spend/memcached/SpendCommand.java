package dev.postern.auth.spend.memcached;

import dev.postern.auth.spend.Redemption;
import dev.postern.auth.spend.Spend;
import dev.postern.auth.spend.SpendAttempt;
import dev.postern.auth.spend.SpendListener;
import dev.postern.auth.spend.remote.Awaited;
import dev.postern.auth.spend.remote.Fate;
import dev.postern.auth.spend.remote.LoopSide;
import dev.postern.auth.spend.remote.Telling;
import java.nio.ByteBuffer;
import net.spy.memcached.ops.OperationException;
import org.jspecify.annotations.Nullable;

/**
 * One spend: the {@code add}, its fate, and the answer to whom asked. One object for all, since there is one per token.
 *
 * <p>The I/O thread settles it and hands it to its loop; the loop answers, by that or by the deadline, whichever is first.
 */
final class SpendCommand extends Command implements SpendAttempt, Awaited {

    private static final int LONGEST_LINE = 16;

    private final Request request;
    private final Pipe pipe;
    private final Link link;
    private final long deadlineNanos;
    private @Nullable SpendListener listener;
    private Spend result = Spend.UNKNOWN;
    private volatile @Nullable Fate fate;
    private volatile boolean vouched;

    /**
     * @param epoch that the token was issued in
     * @param mark that tells this attempt from all others
     */
    record Request(Redemption redemption, byte[] text, byte[] epoch, byte[] mark, LoopSide side) {}

    SpendCommand(Request request, ByteBuffer bytes, long deadlineNanos, Link link, Pipe pipe, SpendListener listener) {
        super(bytes, deadlineNanos, LONGEST_LINE);
        this.request = request;
        this.deadlineNanos = deadlineNanos;
        this.link = link;
        this.pipe = pipe;
        this.listener = listener;
    }

    @Override
    void line(byte[] text, int length) throws OperationException {
        settle(fateOf(text, length));
    }

    @Override
    void settled(Fate how) {
        pipe.leave();
        if (how == Fate.NOT_STORED) {
            // On this thread, so that it comes before the same connection's answer that the token was given back.
            link.knowSpent(request);
        }
        fate = how;
        if (how == Fate.STORED) {
            link.vouch(pipe, request, this::hand);
        } else {
            hand(false);
        }
    }

    private void hand(boolean fresh) {
        vouched = fresh;
        request.side.hand(this);
    }

    /** On the loop: the answer of the store. */
    @Override
    public void run() {
        Fate how = fate;
        if (listener == null || how == null) {
            link.late();
            return;
        }
        switch (how) {
            case STORED -> answer(vouched ? Spend.FRESH : Spend.UNKNOWN);
            case NOT_STORED -> answer(Spend.SPENT);
            case REFUSED, UNSENT, LOST -> answer(Spend.UNKNOWN);
        }
        link.heard(how);
    }

    /** On the loop: the time is over. */
    @Override
    public void expire() {
        if (listener != null) {
            answer(Spend.UNKNOWN);
            link.timedOut();
        }
    }

    private void answer(Spend spend) {
        SpendListener told = listener;
        if (told != null) {
            listener = null;
            result = spend;
            Telling.tell(told, this);
        }
    }

    @Override
    public boolean answered() {
        return listener == null;
    }

    @Override
    public long deadlineNanos() {
        return deadlineNanos;
    }

    Request request() {
        return request;
    }

    Link link() {
        return link;
    }

    /** What the store said so far, or null. */
    @Nullable
    Fate fate() {
        return fate;
    }

    @Override
    public Spend result() {
        return result;
    }

    @Override
    public boolean busy() {
        return false;
    }
}
