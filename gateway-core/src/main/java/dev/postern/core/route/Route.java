package dev.postern.core.route;

import dev.postern.core.exchange.ErrorPageRenderer;
import dev.postern.core.exchange.Exchange;
import dev.postern.core.exchange.ExchangeKey;
import dev.postern.core.exchange.LocalReply;
import dev.postern.core.net.AddressRule;
import dev.postern.core.route.transform.RouteTransform;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Route for requests of one host and path, perhaps under further conditions: their upstream and the rules for them.
 *
 * @param name unique and stable over reloads: {@code host + path} and the conditions, or {@code forward:NAME}
 * @param host exact name, {@code *.suffix} or {@code *}
 * @param path prefix on segment borders, starting with {@code /}
 * @param upstream name of the upstream, or {@link #NO_UPSTREAM}; empty for a forward policy, with a split, and where the gateway responds itself
 * @param token whether a token is required
 * @param rateLimit name of the rate limit, or null for none
 * @param preflight whether a CORS preflight passes without token and room
 * @param timeout for the whole exchange, zero for none
 * @param requestBody maximum bytes of body, 0 for no limit
 * @param challenge how the route's challenges are made
 * @param transform changes to requests and responses
 * @param minBodyRate minimum rate of request bodies
 * @param addresses the clients that may use the route, or null for all
 * @param conditions on a request beside host and path, or null for none
 * @param split upstreams of which each client has one, or null
 * @param pages in place of the gateway's pages for refusals, or null
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
        MinBodyRate minBodyRate,
        @Nullable AddressRule addresses,
        @Nullable RouteConditions conditions,
        @Nullable UpstreamSplit split,
        @Nullable ErrorPages pages) {

    /** Name of the upstream of a route for which another proxy forwards. */
    public static final String NO_UPSTREAM = "none";

    private static final ExchangeKey<Route> KEY = ExchangeKey.of("route");

    /** Creates a route for all requests and clients. */
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
            RouteTransform transform,
            MinBodyRate minBodyRate) {
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
                minBodyRate,
                null,
                null,
                null,
                null);
    }

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

    /** Returns whether this route requires more of a client than another one: first a token, then a rate limit, then an address. */
    boolean stricterThan(Route other) {
        if (token.rank() != other.token.rank()) {
            return token.rank() > other.token.rank();
        }
        if (rateLimit == null != (other.rateLimit == null)) {
            return rateLimit != null;
        }
        return addresses != null && other.addresses == null;
    }

    /** Sets this route as the route of an exchange. */
    public void assignTo(Exchange exchange) {
        exchange.put(KEY, this);
        exchange.put(LocalReply.FILTER, transform.response());
        if (pages != null) {
            exchange.put(ErrorPageRenderer.KEY, pages);
        }
    }

    /** Returns the name of the exchange's upstream; empty where the gateway responds itself. */
    public String upstream(Exchange exchange) {
        return split == null ? upstream : split.upstream(exchange);
    }

    /** Lets the client keep its upstream for later exchanges, where the route has several; before the exchange is forwarded. */
    public void keepUpstream(Exchange exchange) {
        if (split != null) {
            split.keep(exchange);
        }
    }

    /**
     * Returns whether requests may pass: to an upstream of the gateway, or for a question to the site behind the other proxy.
     *
     * @param asked whether another proxy asks
     */
    public boolean passes(boolean asked) {
        return split != null || !upstream.isEmpty() && (asked || !upstream.equals(NO_UPSTREAM));
    }

    /** Token requirement of a route. */
    public enum Token {
        REQUIRED,
        OPTIONAL,
        SESSION,
        OFF;

        /** Returns how much is required of clients: the same of those that may exchange their first token for a session. */
        public int rank() {
            return switch (this) {
                case REQUIRED, SESSION -> 2;
                case OPTIONAL -> 1;
                case OFF -> 0;
            };
        }
    }
}
