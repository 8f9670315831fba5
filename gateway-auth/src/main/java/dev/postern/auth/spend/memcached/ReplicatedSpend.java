package dev.postern.auth.spend.memcached;

import dev.postern.auth.spend.PendingSpend;
import dev.postern.auth.spend.SpendLatency;
import dev.postern.auth.spend.SpendListener;
import dev.postern.auth.spend.SpendResult;
import dev.postern.auth.spend.store.CompletedSpend;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * One spend that several servers shall remember, asked in the one order in which everybody asks them: only who was first at one goes on to
 * the next, so a race has one winner; FRESH is what was fresh everywhere. On one loop.
 */
final class ReplicatedSpend implements PendingSpend, SpendListener {

    private final List<Way> ways;
    private final SpendListener listener;
    private final List<PendingSpend> attempts;
    private SpendResult result = SpendResult.UNKNOWN;
    private boolean busy;
    private SpendLatency latency = SpendLatency.NONE;
    private long askedLast = System.nanoTime();

    /** Spends the token on one server; tells whom it is given. */
    @FunctionalInterface
    interface Way extends Consumer<SpendListener> {}

    /** @param ways one at least */
    ReplicatedSpend(List<Way> ways, SpendListener listener) {
        this.ways = ways;
        this.listener = listener;
        this.attempts = new ArrayList<>(ways.size());
    }

    void begin() {
        ways.get(0).accept(this);
    }

    @Override
    public void responded(PendingSpend spend) {
        attempts.add(spend);
        long now = System.nanoTime();
        latency = latency.plus(spend.times(askedLast, now));
        askedLast = now;
        if (spend.result() == SpendResult.FRESH && attempts.size() < ways.size()) {
            ways.get(attempts.size()).accept(this);
        } else {
            result = spend.result();
            busy = spend.busy();
            CompletedSpend.tell(listener, this);
        }
    }

    /** What was asked, in that order; those that stored it are to be given back. */
    List<PendingSpend> attempts() {
        return attempts;
    }

    @Override
    public SpendResult result() {
        return result;
    }

    @Override
    public boolean busy() {
        return busy;
    }

    /** Of all that were asked, one after the other. */
    @Override
    public SpendLatency times(long askedNanos, long nowNanos) {
        return latency;
    }
}
