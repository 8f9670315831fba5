package dev.postern.ratelimit.store;

import dev.postern.core.config.Rate;
import dev.postern.core.rate.Gcra;
import dev.postern.ratelimit.queue.RoomRules;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Rate limit rule as configured, with or without rooms.
 *
 * @param name unique name of {@code A-Za-z0-9_-}
 * @param rate allowed rate
 * @param burst number of additional requests that may arrive at once
 * @param per key by which the rate counts
 * @param shared whether all replicas count together, in Redis
 * @param settings settings of the rooms, or null for a limit without rooms
 */
public record RateLimitRule(
        String name,
        Rate rate,
        long burst,
        RateKey per,
        boolean shared,
        @Nullable FairQueueSettings settings) {

    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_-]{1,64}");

    public RateLimitRule {
        if (!NAME.matcher(name).matches()) {
            throw new IllegalArgumentException("rate-limits.name: " + name + " (expected: letters, digits, - and _)");
        }
        if (rate.isNone()) {
            throw new IllegalArgumentException("rate-limits.rate: " + rate + " (expected: at least 1 in a period)");
        }
        if (burst < 0) {
            throw new IllegalArgumentException("rate-limits.burst: " + burst + " (expected: 0 or more)");
        }
    }

    public Gcra gcra() {
        return rate.gcra(burst);
    }

    /** Returns the rules of the rooms of this limit; expects a fair queue. */
    public RoomRules rules() {
        FairQueueSettings room = settings;
        if (room == null) {
            throw new IllegalStateException("rate-limits." + name + ": no fair-queue (expected: one)");
        }
        return room.rules(gcra());
    }
}
