package dev.postern.ratelimit.store;

import dev.postern.core.config.Checks;
import dev.postern.core.config.Key;
import dev.postern.core.config.Rate;
import dev.postern.core.rate.Gcra;
import dev.postern.ratelimit.queue.RoomRules;
import org.jspecify.annotations.Nullable;

/** Rate limit, with a fair queue or without: an element of {@code rate-limits} of the configuration. */
public record RateLimitRule(
        @Key(example = "site", description = "Name in routes, log and meters.")
        String name,

        @Key(example = "10/s", description = "Requests that pass without waiting.")
        Rate rate,

        @Key(defaultValue = "10", description = "Additional requests at once; 0: none.")
        int burst,

        @Key(
                defaultValue = "host",
                description = "Unit of counting: `host` of the route (all hosts of a `*` or `*.suffix` route are one),"
                        + " `client-address` (IPv6: /64), `route` or `header:NAME`.")
        RateKey per,

        @Key(defaultValue = "embedded", description = "`embedded`: in this process; `redis`: for all replicas.")
        Store store,

        @Key(defaultValue = "null", description = "Queue for sessions over the rate; without it they get 429.")
        @Nullable
        FairQueueSettings fairQueue) {

    public RateLimitRule {
        Checks.of()
                .that(
                        name.matches("[A-Za-z0-9_-]{1,64}"),
                        "name",
                        name,
                        "1 to 64 letters, digits, dashes or underscores")
                .that(rate.count() >= 1, "rate", rate, "at least 1 in a period, such as 10/s")
                .between("burst", burst, 0, 1_000_000)
                .done();
    }

    /** Store of counts and rooms. */
    public enum Store {
        EMBEDDED,
        REDIS
    }

    public Gcra gcra() {
        return rate.gcra(burst);
    }

    /** Returns the rules of the rooms of this limit; expects a fair queue. */
    public RoomRules rules() {
        FairQueueSettings room = fairQueue;
        if (room == null) {
            throw new IllegalStateException("rate-limits." + name + ": no fair-queue (expected: one)");
        }
        return room.rules(gcra());
    }
}
