package dev.postern.core.upstream;

import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * Budget of retries: a share of all requests of the last ten seconds, plus a small reserve, so that retries never become the load that
 * keeps an upstream down. Thread-safe; times are those of one ticker.
 */
final class RetryBudget {

    /** Retries beyond the share, for upstreams with few requests. */
    static final int RESERVE = 10;

    private static final long WINDOW = Duration.ofSeconds(10).toNanos();

    private final double share;
    private final LongSupplier requests;
    private long start;
    private long requestsThen;
    private long taken;
    private boolean begun;

    /** @param requests that were sent so far */
    RetryBudget(double share, LongSupplier requests) {
        this.share = share;
        this.requests = requests;
    }

    synchronized boolean take(long now) {
        long sent = requests.getAsLong();
        if (!begun || now - start >= WINDOW) {
            begun = true;
            start = now;
            requestsThen = sent;
            taken = 0;
        }
        if (share == 0 || taken >= RESERVE + share * (sent - requestsThen)) {
            return false;
        }
        taken++;
        return true;
    }
}
