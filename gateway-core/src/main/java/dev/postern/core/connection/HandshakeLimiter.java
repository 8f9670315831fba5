package dev.postern.core.connection;

import dev.postern.core.config.Rate;
import dev.postern.core.net.AddressPrefix;
import dev.postern.core.rate.Gcra;
import io.netty.util.concurrent.Ticker;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLongArray;
import org.jspecify.annotations.Nullable;

/**
 * Limiter of the TLS handshakes of each client address, whose signatures cost the gateway more than the client. Its table has a fixed size: two
 * cells per address, by a keyed hash; an address is over the rate when both cells are. 512 KiB, from the first use on. Thread-safe and lock-free.
 */
final class HandshakeLimiter {

    private static final int CELLS = 1 << 15;

    private final Ticker ticker;
    private final long seed = ThreadLocalRandom.current().nextLong(); // so that clients can't choose who shares a cell
    private volatile @Nullable Gcra pace;
    private volatile @Nullable AtomicLongArray arrivals;

    HandshakeLimiter(Rate rate, Ticker ticker) {
        this.ticker = ticker;
        rate(rate);
    }

    /** Replaces the rate. */
    void rate(Rate rate) {
        if (!rate.isNone() && arrivals == null) {
            arrivals = new AtomicLongArray(2 * CELLS);
        }
        pace = rate.gcra();
    }

    /** Returns whether handshakes are limited. */
    boolean limits() {
        return pace != null;
    }

    /** Counts a handshake of the client; false when it is over the rate. */
    boolean tryAcquire(AddressPrefix client) {
        Gcra limit = pace;
        AtomicLongArray cells = arrivals;
        if (limit == null || cells == null) {
            return true;
        }
        long now = ticker.nanoTime() / 1000;
        long hash = hash(client);
        int first = (int) (hash & CELLS - 1);
        int second = CELLS + (int) (hash >>> 32 & CELLS - 1);
        if (!fits(limit, cells.get(first), now) && !fits(limit, cells.get(second), now)) {
            return false;
        }
        charge(limit, cells, first, now);
        charge(limit, cells, second, now);
        return true;
    }

    private static boolean fits(Gcra limit, long arrival, long now) {
        return limit.allows(limit.capped(arrival, now), now);
    }

    private static void charge(Gcra limit, AtomicLongArray cells, int cell, long now) {
        cells.updateAndGet(cell, arrival -> limit.capped(limit.next(limit.capped(arrival, now), now), now));
    }

    /** Returns the keyed hash of the address: the finalizer of SplitMix64. */
    private long hash(AddressPrefix client) {
        long z = client.bits() + (client.ipv6() ? 1 : 0) + seed;
        z = (z ^ z >>> 30) * 0xbf58476d1ce4e5b9L;
        z = (z ^ z >>> 27) * 0x94d049bb133111ebL;
        return z ^ z >>> 31;
    }
}
