package dev.postern.auth.spend.memcached;

import dev.postern.auth.spend.Spend;
import dev.postern.auth.spend.SpendAttempt;
import dev.postern.auth.spend.SpendListener;
import dev.postern.auth.spend.SpendTimes;
import dev.postern.auth.spend.store.Telling;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * One spend that several servers shall remember, asked in the one order in which everybody asks them: only who was first at one goes on to
 * the next, so a race has one winner; FRESH is what was fresh everywhere. On one loop.
 */
final class CopiedSpend implements SpendAttempt, SpendListener {

    private final List<Way> ways;
    private final SpendListener listener;
    private final List<SpendAttempt> attempts;
    private Spend result = Spend.UNKNOWN;
    private boolean busy;
    private SpendTimes times = SpendTimes.NONE;
    private long askedLast = System.nanoTime();

    /** Spends the token on one server; tells whom it is given. */
    @FunctionalInterface
    interface Way extends Consumer<SpendListener> {}

    /** @param ways one at least */
    CopiedSpend(List<Way> ways, SpendListener listener) {
        this.ways = ways;
        this.listener = listener;
        this.attempts = new ArrayList<>(ways.size());
    }

    void begin() {
        ways.get(0).accept(this);
    }

    @Override
    public void answered(SpendAttempt attempt) {
        attempts.add(attempt);
        long now = System.nanoTime();
        times = times.plus(attempt.times(askedLast, now));
        askedLast = now;
        if (attempt.result() == Spend.FRESH && attempts.size() < ways.size()) {
            ways.get(attempts.size()).accept(this);
        } else {
            result = attempt.result();
            busy = attempt.busy();
            Telling.tell(listener, this);
        }
    }

    /** What was asked, in that order; those that stored it are to be given back. */
    List<SpendAttempt> attempts() {
        return attempts;
    }

    @Override
    public Spend result() {
        return result;
    }

    @Override
    public boolean busy() {
        return busy;
    }

    /** Of all that were asked, one after the other. */
    @Override
    public SpendTimes times(long askedNanos, long nowNanos) {
        return times;
    }
}
