package dev.postern.ratelimit.store;

import dev.postern.core.config.Checks;
import dev.postern.core.config.Key;
import dev.postern.core.config.Rate;
import dev.postern.core.http.RequestHead;
import dev.postern.core.rate.Gcra;
import dev.postern.ratelimit.queue.RoomRules;
import org.jspecify.annotations.Nullable;

/** Rate limit, with a fair queue or without: an element of {@code rate-limits} of the configuration. */
public record RateLimitRule(
        @Key(example = "site", description = "Name in routes, log and meters.")
        String name,

        @Key(
                defaultValue = "null",
                example = "10/s",
                description =
                        "Requests that pass without waiting, such as `10/s`. Without it, `fair-queue` is required:"
                                + " each client is a session, and waits when there are `active-sessions`.")
        @Nullable
        Rate rate,

        @Key(defaultValue = "10", min = "0", max = "1000000", description = "Additional requests at once; 0: none.")
        int burst,

        @Key(
                defaultValue = "host",
                description = "Unit of counting: `host` of the route (all hosts of a `*` or `*.suffix` route are one),"
                        + " `client-address` (IPv6: /64), `route`, `header:NAME` or `cookie:NAME`.")
        RateKey per,

        @Key(
                defaultValue = "share",
                needs = "per: header:NAME | cookie:NAME",
                description =
                        "Requests without the header or cookie of `per`, or with two, `share` one budget, or are `refuse`d with"
                                + " 400 `rate-key-missing`.")
        Missing missing,

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
                .that(
                        rate != null || fairQueue != null,
                        "rate",
                        "missing",
                        "a rate such as 10/s, unless fair-queue has active-sessions")
                .that(
                        rate == null || rate.count() >= 1,
                        "rate",
                        String.valueOf(rate),
                        "at least 1 in a period, such as 10/s")
                .done();
    }

    /** Creates a rule by which requests without a key share one budget. */
    public RateLimitRule(
            String name,
            @Nullable Rate rate,
            int burst,
            RateKey per,
            Store store,
            @Nullable FairQueueSettings fairQueue) {
        this(name, rate, burst, per, Missing.SHARE, store, fairQueue);
    }

    /** Handling of requests without the header or cookie by which they are counted. */
    public enum Missing {
        SHARE,
        REFUSE
    }

    /** Store of counts and rooms. */
    public enum Store {
        EMBEDDED,
        REDIS
    }

    /** Returns the rate with its burst; null for a room without a rate. */
    public @Nullable Gcra gcra() {
        return rate == null ? null : rate.gcra(burst);
    }

    /** Returns whether the request is refused, because it has not the one value by which it would be counted. */
    public boolean refuses(RequestHead request) {
        return missing == Missing.REFUSE && per.chosenByClient() && per.value(request) == null;
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
