package dev.postern.ratelimit.queue;

import dev.postern.core.rate.Gcra;

/**
 * Limit table for limits without rooms: one theoretical arrival time (GCRA) per key, removed once the key is idle. Not thread-safe.
 */
public final class LimitTable {

    private final ExpiringMap<Long> arrivals;

    /** @param max maximum number of keys; above it, one of the longest unused keys is reset: the one with the earliest arrival time */
    public LimitTable(int max) {
        arrivals = new ExpiringMap<>(max);
    }

    public AdmissionDecision decide(String key, Gcra rate, long now) {
        arrivals.dropEnded(now);
        Long known = arrivals.get(key, now);
        long arrival = known == null ? 0 : rate.capped(known, now);
        if (!rate.allows(arrival, now)) {
            if (known != null && arrival != known) {
                arrivals.put(key, arrival, arrival); // the rate is faster than it was, and the wait begins now
            }
            return AdmissionDecision.limit(false, rate.wait(arrival, now));
        }
        long next = rate.next(arrival, now);
        arrivals.put(key, next, next);
        return AdmissionDecision.limit(true, 0);
    }

    public int size() {
        return arrivals.size();
    }
}
