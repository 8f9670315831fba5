package dev.postern.auth.budget;

import dev.postern.core.rate.Gcra;
import java.util.concurrent.atomic.AtomicLongArray;
import org.jspecify.annotations.Nullable;

/**
 * Budget of failed verifications beyond the accepted ones for each client network, in a table of fixed size: two cells per network, by a
 * keyed hash; a network is over budget when both cells are. Networks that share cells by chance share a budget, which at worst delays their
 * tokens until the event loop is idle.
 *
 * <p>512 KiB. Thread-safe and lock-free.
 */
public final class FailureBudget {

    private static final int CELLS = 1 << 15;

    private final @Nullable Gcra pace;
    private final long seed;
    private final AtomicLongArray arrivals = new AtomicLongArray(2 * CELLS);

    /**
     * @param pace failures allowed per time; null for no limit. All times are microseconds of one monotonic clock
     * @param seed random, so that clients cannot choose addresses that share a cell with others
     */
    public FailureBudget(@Nullable Gcra pace, long seed) {
        this.pace = pace;
        this.seed = seed;
    }

    /** Returns whether that network's budget is exceeded now. */
    public boolean exhausted(long network, long now) {
        Gcra limit = pace;
        if (limit == null) {
            return false;
        }
        long hash = hash(network);
        return !limit.allows(arrivals.get(first(hash)), now) && !limit.allows(arrivals.get(second(hash)), now);
    }

    /** Counts a failed verification of that network. */
    public void failed(long network, long now) {
        Gcra limit = pace;
        if (limit == null) {
            return;
        }
        long hash = hash(network);
        charge(limit, first(hash), now);
        charge(limit, second(hash), now);
    }

    /** Counts an accepted token of that network, which makes up for a failure: a network of many clients has more of both. */
    public void accepted(long network, long now) {
        Gcra limit = pace;
        if (limit == null) {
            return;
        }
        long hash = hash(network);
        credit(limit, first(hash), now);
        credit(limit, second(hash), now);
    }

    private void credit(Gcra limit, int cell, long now) {
        if (arrivals.get(cell) > now) {
            arrivals.updateAndGet(cell, arrival -> Math.max(Math.min(arrival, now), arrival - limit.intervalMicros()));
        }
    }

    private void charge(Gcra limit, int cell, long now) {
        // Failures found in idle time must not count against the network for longer than a full budget takes to refill.
        long max = now + limit.toleranceMicros() + limit.intervalMicros();
        arrivals.updateAndGet(cell, arrival -> Math.min(limit.next(arrival, now), Math.max(arrival, max)));
    }

    private static int first(long hash) {
        return (int) (hash & CELLS - 1);
    }

    private static int second(long hash) {
        return CELLS + (int) (hash >>> 32 & CELLS - 1);
    }

    /** Returns the keyed hash of the network: the finalizer of SplitMix64. */
    private long hash(long network) {
        long z = network + seed;
        z = (z ^ z >>> 30) * 0xbf58476d1ce4e5b9L;
        z = (z ^ z >>> 27) * 0x94d049bb133111ebL;
        return z ^ z >>> 31;
    }
}
