package dev.postern.core.route;

import dev.postern.core.exchange.Exchange;
import dev.postern.core.exchange.ExchangeKey;
import dev.postern.core.exchange.LocalReply;
import dev.postern.core.route.transform.RouteTransform;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Route for requests of one host and path: their upstream and the rules for them.
 *
 * @param name unique and stable over reloads: {@code host + path}, or {@code forward:NAME}
 * @param host exact name, {@code *.suffix} or {@code *}
 * @param path prefix on segment borders, starting with {@code /}
 * @param upstream name of the upstream; empty for a forward policy
 * @param token whether a token is required
 * @param rateLimit name of the rate limit, or null for none
 * @param preflight whether a CORS preflight passes without token and room
 * @param timeout for the whole exchange, zero for none
 * @param requestBody maximum bytes of body, 0 for no limit
 * @param challenge how the route's challenges are made
 * @param transform changes to requests and responses
 * @param minBodyRate minimum rate of request bodies
 */
public record Route(
        String name,
        String host,
        String path,
        String upstream,
        Token token,
        @Nullable String rateLimit,
        Preflight preflight,
        Duration timeout,
        long requestBody,
        ChallengeRule challenge,
        RouteTransform transform,
        MinBodyRate minBodyRate) {

    private static final ExchangeKey<Route> KEY = ExchangeKey.of("route");

    /** Returns the matched route; fails before <i>match</i>. */
    public static Route of(Exchange exchange) {
        Route route = exchange.get(KEY);
        if (route == null) {
            throw new IllegalStateException("route: none (expected: a stage after match)");
        }
        return route;
    }

    /** Returns the matched route, or null before <i>match</i> or when none matched. */
    public static @Nullable Route orNull(Exchange exchange) {
        return exchange.get(KEY);
    }

    /** Sets this route as the route of an exchange. */
    public void assignTo(Exchange exchange) {
        exchange.put(KEY, this);
        exchange.put(LocalReply.FILTER, transform.response());
    }

    /** Token requirement of a route. */
    public enum Token {
        REQUIRED,
        OPTIONAL,
        SESSION,
        OFF
    }
}
