package dev.postern.core.route;

import dev.postern.core.exchange.Exchange;
import dev.postern.core.exchange.ExchangeKey;
import dev.postern.core.exchange.LocalReply;
import dev.postern.core.route.transform.RouteTransform;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Where requests of one host and path go, and which rules hold for them.
 *
 * @param name unique and stable over reloads: {@code host + path}, or {@code forward:NAME}
 * @param host exact name, {@code *.suffix} or {@code *}
 * @param path prefix on segment borders, starting with {@code /}
 * @param upstream name of the upstream; empty for a forward policy
 * @param token whether a token is asked for
 * @param rateLimit name of the rate limit, or null for none
 * @param preflight whether a CORS preflight passes without token and room
 * @param timeout for the whole exchange, zero for none
 * @param requestBody bytes of body at most, 0 for no limit
 * @param challenge how its challenges are made
 * @param transform what it changes of what passes
 * @param minBodyRate how fast bodies have to come
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

    private static final ExchangeKey<Route> SLOT = ExchangeKey.of("route");

    /** The route that was matched; expects to be asked only after <i>match</i>. */
    public static Route of(Exchange exchange) {
        Route route = exchange.get(SLOT);
        if (route == null) {
            throw new IllegalStateException("route: none (expected: a stage after match)");
        }
        return route;
    }

    /** The route that was matched, or null before <i>match</i> or when none matched. */
    public static @Nullable Route orNull(Exchange exchange) {
        return exchange.get(SLOT);
    }

    /** Makes this the route of an exchange. */
    public void assignTo(Exchange exchange) {
        exchange.put(SLOT, this);
        exchange.put(LocalReply.FILTER, transform.response());
    }

    /** A route whose challenges are made as everywhere. */
    public Route(
            String name,
            String host,
            String path,
            String upstream,
            Token token,
            @Nullable String rateLimit,
            Preflight preflight,
            Duration timeout,
            long requestBody) {
        this(name, host, path, upstream, token, rateLimit, preflight, timeout, requestBody, ChallengeRule.DEFAULT);
    }

    /** A route that changes nothing of what passes. */
    public Route(
            String name,
            String host,
            String path,
            String upstream,
            Token token,
            @Nullable String rateLimit,
            Preflight preflight,
            Duration timeout,
            long requestBody,
            ChallengeRule challenge) {
        this(
                name,
                host,
                path,
                upstream,
                token,
                rateLimit,
                preflight,
                timeout,
                requestBody,
                challenge,
                RouteTransform.PLAIN);
    }

    /** A route to which bodies may come at any pace. */
    public Route(
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
            RouteTransform transform) {
        this(
                name,
                host,
                path,
                upstream,
                token,
                rateLimit,
                preflight,
                timeout,
                requestBody,
                challenge,
                transform,
                MinBodyRate.NONE);
    }

    /** The same route, treating what passes so. */
    public Route treating(RouteTransform value) {
        return new Route(
                name,
                host,
                path,
                upstream,
                token,
                rateLimit,
                preflight,
                timeout,
                requestBody,
                challenge,
                value,
                minBodyRate);
    }

    /** The same route, for bodies that come that fast. */
    public Route with(MinBodyRate value) {
        return new Route(
                name,
                host,
                path,
                upstream,
                token,
                rateLimit,
                preflight,
                timeout,
                requestBody,
                challenge,
                transform,
                value);
    }

    /** What a route asks of a client. */
    public enum Token {
        REQUIRED,
        OPTIONAL,
        SESSION,
        OFF
    }

    /** What becomes of a CORS preflight. */
    public enum Preflight {
        FORWARD,
        REFUSE
    }
}
