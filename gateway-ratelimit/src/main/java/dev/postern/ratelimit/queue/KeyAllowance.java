package dev.postern.ratelimit.queue;

import dev.postern.core.rate.Gcra;

/**
 * Allowance of new keys by client network, for keys from values that clients choose: a store keeps each key for a while, so a client that
 * sends another value with each request would fill its memory. Not thread-safe.
 */
public final class KeyAllowance {

    /** Number of keys that one network may have in a store at once; used up, it gets more as they end. */
    static final int PER_NETWORK = 4096;

    private static final int REMEMBERED = 1 << 16;

    private final ExpiringMap<Boolean> known = new ExpiringMap<>(REMEMBERED);
    private final LimitTable created = new LimitTable(REMEMBERED);

    /**
     * Returns whether a request may use a key: one that was used a short time ago, or a new one within the allowance.
     *
     * @param key key with the name of its limit
     * @param network network of the client, with the name of the limit
     * @param rate rate that the key is counted by, which determines how long a store keeps it
     */
    public boolean allows(String key, String network, Gcra rate, long now) {
        long life = rate.intervalMicros() + rate.toleranceMicros();
        known.dropEnded(now);
        boolean allowed = known.get(key, now) != null
                || created.decide(network, allowance(life), now).kind().passes();
        if (allowed) {
            known.put(key, Boolean.TRUE, now + life);
        }
        return allowed;
    }

    private static Gcra allowance(long life) {
        long interval = Math.max(1, life / PER_NETWORK);
        return new Gcra(interval, interval * (PER_NETWORK - 1));
    }
}
