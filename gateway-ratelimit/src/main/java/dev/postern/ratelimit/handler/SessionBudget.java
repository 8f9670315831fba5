package dev.postern.ratelimit.handler;

import dev.postern.core.config.Rate;
import dev.postern.core.exchange.Credential;
import dev.postern.core.rate.Gcra;
import dev.postern.ratelimit.store.FairQueueSettings;
import dev.postern.ratelimit.store.RateKey;
import dev.postern.ratelimit.store.RateLimitRule;
import org.jspecify.annotations.Nullable;

/**
 * Budget of one session that a token bought: all requests with its cookie count by its id, from whatever address, so that one token does not
 * serve many clients.
 *
 * @param key key in the store; begins with a character that no name of a limit has
 * @param name name of the limit that clients see
 * @param shared whether the budget is that of all routes of the instance, else that of the routes of one limit
 */
record SessionBudget(String key, String name, Rate rate, Gcra gcra, boolean shared) {

    private static final String PREFIX = "~session~";

    /** Name towards clients of the budget that no limit has. */
    private static final String SESSION = "session";

    /**
     * Returns the budget that applies to a request: {@code privacy-pass.session.rate} or else that of the route's limit; null for none.
     *
     * @param rule limit of the route, or null
     */
    static @Nullable SessionBudget of(@Nullable Credential credential, @Nullable RateLimitRule rule) {
        Credential.Session session = credential == null ? null : credential.session();
        if (credential == null || session == null) {
            return null;
        }
        Rate configured = session.rate();
        if (configured != null) {
            Gcra gcra = configured.gcra();
            return gcra == null ? null : new SessionBudget(PREFIX + credential.hex(), SESSION, configured, gcra, true);
        }
        // All requests of a session are of one host, so that the rate of the host is not more than the one of the
        // session.
        if (rule == null || rule.per().kind() == RateKey.Kind.HOST) {
            return null;
        }
        String key = PREFIX + rule.name() + '~' + credential.hex();
        FairQueueSettings room = rule.fairQueue();
        if (room == null) {
            Rate rate = rule.rate();
            Gcra gcra = rule.gcra();
            return rate == null || gcra == null ? null : new SessionBudget(key, rule.name(), rate, gcra, false);
        }
        Gcra perSession = room.perSessionRate().gcra();
        return perSession == null
                ? null
                : new SessionBudget(key, rule.name(), room.perSessionRate(), perSession, false);
    }
}
