package dev.postern.ratelimit.store;

import dev.postern.core.exchange.FieldName;
import dev.postern.core.pace.Gcra;
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
 * @param header the field of {@link Per#HEADER}, else null
 * @param shared whether all replicas count together, in Redis
 * @param queue the room, or null for a plain limit
 */
public record Limit(
        String name,
        Rate rate,
        long burst,
        Per per,
        @Nullable FieldName header,
        boolean shared,
        @Nullable FairQueue queue) {

    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_-]{1,64}");

    public Limit {
        if (!NAME.matcher(name).matches()) {
            throw new IllegalArgumentException("rate-limits.name: " + name + " (expected: letters, digits, - and _)");
        }
        if ((per == Per.HEADER) != (header != null)) {
            throw new IllegalArgumentException(
                    "rate-limits.per: " + per + " (expected: a field name with header, else none)");
        }
        if (burst < 0) {
            throw new IllegalArgumentException("rate-limits.burst: " + burst + " (expected: 0 or more)");
        }
    }

    /** What a rate counts by. */
    public enum Per {
        HOST,
        CLIENT_ADDRESS,
        ROUTE,
        HEADER
    }

    public Gcra gcra() {
        return rate.gcra(burst);
    }

    /** The rules of its rooms; expects a fair queue. */
    public RoomRules rules() {
        FairQueue room = queue;
        if (room == null) {
            throw new IllegalStateException("rate-limits." + name + ": no fair-queue (expected: one)");
        }
        return room.rules(gcra());
    }
}
