package dev.postern.auth.spend.memcached;

import dev.postern.auth.spend.PendingSpend;
import dev.postern.auth.spend.SpendLatency;
import dev.postern.auth.spend.SpendListener;
import dev.postern.auth.spend.SpendResult;
import dev.postern.auth.spend.store.CompletedSpend;
import io.netty.util.concurrent.Ticker;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * Replicated spend of one token on several servers, one after the other, in the same order at all gateways. Only a spend that is FRESH at
 * one server continues with the next, so a race has one winner. The result is FRESH if it was FRESH at all servers. On one loop.
 */
final class ReplicatedSpend implements PendingSpend, SpendListener {

    private final List<SpendStep> steps;
    private final Ticker ticker;
    private final SpendListener listener;
    private final List<PendingSpend> spends;
    private SpendResult result = SpendResult.UNKNOWN;
    private boolean busy;
    private SpendLatency latency = SpendLatency.NONE;
    private long askedLast;

    /** Step of the spend, at one server; calls the given listener. */
    @FunctionalInterface
    interface SpendStep extends Consumer<SpendListener> {}

    /**
     * @param steps at least one
     * @param ticker of the loop
     */
    ReplicatedSpend(List<SpendStep> steps, Ticker ticker, SpendListener listener) {
        this.steps = steps;
        this.ticker = ticker;
        this.askedLast = ticker.nanoTime();
        this.listener = listener;
        this.spends = new ArrayList<>(steps.size());
    }

    void begin() {
        steps.get(0).accept(this);
    }

    @Override
    public void responded(PendingSpend spend) {
        spends.add(spend);
        long now = ticker.nanoTime();
        latency = latency.plus(spend.times(askedLast, now));
        askedLast = now;
        if (spend.result() == SpendResult.FRESH && spends.size() < steps.size()) {
            steps.get(spends.size()).accept(this);
        } else {
            result = spend.result();
            busy = spend.busy();
            CompletedSpend.notify(listener, this);
        }
    }

    /** Returns the spends at the single servers, in order; for a refund, those that stored the token must be refunded. */
    List<PendingSpend> spends() {
        return spends;
    }

    @Override
    public SpendResult result() {
        return result;
    }

    @Override
    public boolean busy() {
        return busy;
    }

    /** Returns the sum over all asked servers. */
    @Override
    public SpendLatency times(long askedNanos, long nowNanos) {
        return latency;
    }
}
