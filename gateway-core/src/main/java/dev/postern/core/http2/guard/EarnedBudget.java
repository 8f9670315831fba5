package dev.postern.core.http2.guard;

import dev.postern.core.rate.Gcra;
import io.netty.util.concurrent.Ticker;

/**
 * Budget of an action of a peer: a rate, and beyond it as many as the peer has earned, at any speed. What only costs the gateway is bounded
 * by what is wanted, so that a peer may do ten times as much when it is ten times as busy. Plain object; one event loop.
 */
final class EarnedBudget {

    private final Gcra rate;
    private final long maxEarned;
    private final Ticker ticker;
    private long arrival;
    private long earned;

    /** @param maxEarned how many earned ones are saved at most */
    EarnedBudget(Gcra rate, long maxEarned, Ticker ticker) {
        this.rate = rate;
        this.maxEarned = maxEarned;
        this.ticker = ticker;
    }

    void earn(long n) {
        earned = Math.min(maxEarned, earned + n);
    }

    /** Counts an action. Returns whether the budget allows it. */
    boolean take() {
        long now = ticker.nanoTime() / 1000;
        if (rate.allows(arrival, now)) {
            arrival = rate.next(arrival, now);
            return true;
        }
        if (earned > 0) {
            earned--;
            return true;
        }
        return false;
    }
}
