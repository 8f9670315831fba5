package dev.postern.core.proxy;

import dev.postern.core.route.MinBodyRate;
import io.netty.util.concurrent.Ticker;

/**
 * Tracker of a request's body rate. The tracker counts only the time in which the gateway reads from the client; in each period of such
 * time, the received bytes must reach the rate, so that a fast start does not compensate a slow end. Event loop only.
 */
final class BodyRateTracker {

    private static final double NANOS = 1e9;

    private final long rate;
    private final long period;
    private final Ticker ticker;
    private long counted;
    private long start;
    private long bytes;
    private boolean open = true;

    /** @param ticker of the loop of the exchange */
    BodyRateTracker(MinBodyRate min, Ticker ticker) {
        this.rate = min.bytesPerSecond();
        this.period = min.over().toNanos();
        this.ticker = ticker;
        this.start = ticker.nanoTime();
    }

    void received(int n) {
        bytes += n;
    }

    /** Stops the time: the gateway stopped reading from the client. */
    void shut() {
        if (open) {
            counted += ticker.nanoTime() - start;
            open = false;
        }
    }

    /** Continues the time: the gateway reads from the client again. */
    void open() {
        if (!open) {
            start = ticker.nanoTime();
            open = true;
        }
    }

    /** Returns the nanoseconds until the next check. */
    long remainingNanos() {
        return open ? Math.max(0, period - time()) : period;
    }

    /** Returns whether the body was too slow in the period that is over; begins the next period when it was fast enough. */
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

    /** Begins a new period: the client did not cause the delay in this one. */
    void restart() {
        counted = 0;
        bytes = 0;
        start = ticker.nanoTime();
    }

    private long time() {
        return open ? counted + ticker.nanoTime() - start : counted;
    }
}
