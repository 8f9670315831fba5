package dev.postern.ratelimit.store;

import dev.postern.core.rate.Gcra;
import dev.postern.ratelimit.queue.RoomRules;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A rate limit as configured, with or without a room.
 *
 * @param name unique; of {@code A-Za-z0-9_-}
 * @param rate what passes
 * @param burst how many beyond the one that is due may come at once
 * @param per what the rate counts by
 * @param shared whether all replicas count together, in Redis
 * @param settings the room, or null for a plain limit
 */
public record RateLimitRule(
        String name,
        LimitRate rate,
        long burst,
        RateKey per,
        boolean shared,
        @Nullable FairQueueSettings settings) {

    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_-]{1,64}");

    public RateLimitRule {
        if (!NAME.matcher(name).matches()) {
            throw new IllegalArgumentException("rate-limits.name: " + name + " (expected: letters, digits, - and _)");
        }
        if (burst < 0) {
            throw new IllegalArgumentException("rate-limits.burst: " + burst + " (expected: 0 or more)");
        }
    }

    public Gcra gcra() {
        return rate.gcra(burst);
    }

    /** The rules of its rooms; expects a fair queue. */
    public RoomRules rules() {
        FairQueueSettings room = settings;
        if (room == null) {
            throw new IllegalStateException("rate-limits." + name + ": no fair-queue (expected: one)");
        }
        return room.rules(gcra());
    }
}
