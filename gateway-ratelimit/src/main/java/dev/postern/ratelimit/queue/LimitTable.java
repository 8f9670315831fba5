package dev.postern.ratelimit.queue;

import dev.postern.core.rate.Gcra;

/**
 * Limits without a room: one theoretical arrival time per key, forgotten once the key is idle. Not thread-safe; the caller owns it.
 */
public final class LimitTable {

    private final ExpiringMap<Long> arrivals;

    /** @param most keys at most; beyond it one of those not heard from for longest starts anew: the one nearest to its full rate */
    public LimitTable(int most) {
        arrivals = new ExpiringMap<>(most);
    }

    public AdmissionDecision decide(String key, Gcra rate, long now) {
        arrivals.dropEnded(now);
        Long known = arrivals.get(key, now);
        long arrival = known == null ? 0 : known;
        if (!rate.allows(arrival, now)) {
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
