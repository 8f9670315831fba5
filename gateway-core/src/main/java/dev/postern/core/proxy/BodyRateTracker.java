package dev.postern.core.proxy;

import dev.postern.core.route.MinBodyRate;
import java.util.function.LongSupplier;

/**
 * Decides whether a client sends a body too slowly. Counts the time in which it may send, and no other: bytes that come in each period of
 * such time, one after the other, must reach the rate, so that a fast beginning does not pay for a slow end. Event loop only.
 */
final class BodyRateTracker {

    private static final double NANOS = 1e9;

    private final long rate;
    private final long period;
    private final LongSupplier clock;
    private long counted;
    private long start;
    private long bytes;
    private boolean open = true;

    /** @param clock as {@link System#nanoTime} */
    BodyRateTracker(MinBodyRate least, LongSupplier clock) {
        this.rate = least.bytesPerSecond();
        this.period = least.over().toNanos();
        this.clock = clock;
        this.start = clock.getAsLong();
    }

    void received(int n) {
        bytes += n;
    }

    /** The client may not send from now on. */
    void shut() {
        if (open) {
            counted += clock.getAsLong() - start;
            open = false;
        }
    }

    /** The client may send again. */
    void open() {
        if (!open) {
            start = clock.getAsLong();
            open = true;
        }
    }

    /** Nanoseconds until another look makes sense. */
    long left() {
        return open ? Math.max(0, period - time()) : period;
    }

    /** Whether too little came in the period that is over now; begins the next one when it was enough. */
    boolean tooSlow() {
        long time = time();
        if (time < period) {
            return false;
        }
        if (bytes < rate * (time / NANOS)) {
            return true;
        }
        restart();
        return false;
    }

    /** Begins a new period: what was counted in this one was not the client's doing. */
    void restart() {
        counted = 0;
        bytes = 0;
        start = clock.getAsLong();
    }

    private long time() {
        return open ? counted + clock.getAsLong() - start : counted;
    }
}
