package dev.postern.auth.spend.store;

import java.util.concurrent.atomic.AtomicInteger;

/** Limit of the spends in flight that several event loops share. Thread-safe. */
public final class SharedInFlightLimit implements InFlightLimit {

    private final AtomicInteger inFlight = new AtomicInteger();

    @Override
    public boolean enter() {
        if (inFlight.incrementAndGet() <= MAX_IN_FLIGHT) {
            return true;
        }
        inFlight.decrementAndGet();
        return false;
    }

    @Override
    public void leave() {
        inFlight.decrementAndGet();
    }

    @Override
    public int inFlight() {
        return inFlight.get();
    }
}
