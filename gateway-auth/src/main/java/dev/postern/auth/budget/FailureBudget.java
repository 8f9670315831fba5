package dev.postern.auth.budget;

import dev.postern.core.rate.Gcra;
import java.util.concurrent.atomic.AtomicLongArray;
import org.jspecify.annotations.Nullable;

/**
 * Failed verifications of each network of clients, in a table that never grows: two cells for each network, by a keyed hash; both must be
 * used up. Networks that share cells by chance share a budget, which at worst makes their tokens wait for spare time.
 *
 * <p>512 KiB. Thread-safe and without locks.
 */
public final class FailureBudget {

    private static final int CELLS = 1 << 15;

    private final @Nullable Gcra pace;
    private final long seed;
    private final AtomicLongArray arrivals = new AtomicLongArray(2 * CELLS);

    /**
     * @param pace so many failures at such a rate; null for no limit. All times are microseconds of one clock that doesn't go back
     * @param seed random, so that nobody can choose addresses that share a cell with others
     */
    public FailureBudget(@Nullable Gcra pace, long seed) {
        this.pace = pace;
        this.seed = seed;
    }

    /** Whether that network's budget is used up now. */
    public boolean exhausted(long network, long now) {
        Gcra limit = pace;
        if (limit == null) {
            return false;
        }
        long hash = hash(network);
        return !limit.allows(arrivals.get(first(hash)), now) && !limit.allows(arrivals.get(second(hash)), now);
    }

    /** One more token of that network was not what it claimed to be. */
    public void failed(long network, long now) {
        Gcra limit = pace;
        if (limit == null) {
            return;
        }
        long hash = hash(network);
        charge(limit, first(hash), now);
        charge(limit, second(hash), now);
    }

    private void charge(Gcra limit, int cell, long now) {
        // What is found in spare time must not be held against the network for longer than a full budget takes to come
        // back.
        long most = now + limit.toleranceMicros() + limit.intervalMicros();
        arrivals.updateAndGet(cell, arrival -> Math.min(limit.next(arrival, now), Math.max(arrival, most)));
    }

    private static int first(long hash) {
        return (int) (hash & CELLS - 1);
    }

    private static int second(long hash) {
        return CELLS + (int) (hash >>> 32 & CELLS - 1);
    }

    /** The finalizer of SplitMix64, keyed. */
    private long hash(long network) {
        long z = network + seed;
        z = (z ^ z >>> 30) * 0xbf58476d1ce4e5b9L;
        z = (z ^ z >>> 27) * 0x94d049bb133111ebL;
        return z ^ z >>> 31;
    }
}
