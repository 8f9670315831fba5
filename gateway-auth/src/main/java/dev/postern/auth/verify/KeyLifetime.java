package dev.postern.auth.verify;

import dev.postern.auth.key.AcceptedKey;
import java.time.Duration;
import java.time.Instant;

/**
 * Lifetime of a key where the challenge has no window: the ledger must remember spends until the key ends, so keys must have an end (RFC
 * 9577 section 2.1.1.2).
 *
 * @param lifetime counted from the key's {@code not-before}; without one, from each spend, and the issuer has to remove the key in time
 * @param skew how far the clocks of two gateways may be apart
 */
public record KeyLifetime(Duration lifetime, Duration skew) {

    private static final long DAY = Duration.ofDays(1).toSeconds();

    public KeyLifetime {
        if (lifetime.compareTo(Duration.ofHours(1)) < 0 || lifetime.compareTo(Duration.ofDays(3660)) > 0) {
            throw new IllegalArgumentException("key-max-lifetime: " + lifetime + " (expected: 1h to 3660d)");
        }
    }

    /** Returns whether the key is too old, although its issuer still lists it. */
    boolean expired(AcceptedKey key, Instant now) {
        return hasBegin(key) && !now.minus(skew).isBefore(key.from().plus(lifetime));
    }

    /** Returns when no gateway accepts a token of that key any more; rounded up to whole days, so that the ledger keeps few sets. */
    Instant end(AcceptedKey key, Instant now) {
        Instant end = (hasBegin(key) ? key.from() : now).plus(lifetime);
        if (!key.listed() && key.until().isBefore(end)) {
            end = key.until();
        }
        long seconds = end.plus(skew.multipliedBy(2)).getEpochSecond();
        return Instant.ofEpochSecond((seconds / DAY + 1) * DAY);
    }

    private static boolean hasBegin(AcceptedKey key) {
        return key.from().isAfter(Instant.EPOCH);
    }
}
