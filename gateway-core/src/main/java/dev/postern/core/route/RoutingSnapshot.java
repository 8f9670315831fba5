package dev.postern.core.route;

import dev.postern.core.exchange.ErrorPageRenderer;
import dev.postern.core.exchange.Exchange;
import dev.postern.core.exchange.ExchangeKey;
import dev.postern.core.upstream.Upstreams;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Snapshot of the routing configuration, immutable, that applies to an exchange from beginning to end; a reload makes a new snapshot.
 *
 * @param routes of reverse listeners
 * @param forwards forward policies by name
 * @param internalEndpoints internal endpoints, by path prefix below {@link InternalEndpoint#PREFIX}
 * @param pages renderer of error pages, or null for the gateway's default pages
 * @param upstreams upstreams of the routes
 * @param lookup the limits that routes name
 * @param tokens the rules for tokens
 */
public record RoutingSnapshot(
        RouteTable routes,
        Map<String, ForwardPolicy> forwards,
        Map<String, InternalEndpoint> internalEndpoints,
        @Nullable ErrorPageRenderer pages,
        Upstreams upstreams,
        LimitLookup lookup,
        TokenRules tokens) {

    private static final ExchangeKey<RoutingSnapshot> KEY = ExchangeKey.of("routing snapshot");

    public RoutingSnapshot {
        forwards = Map.copyOf(forwards);
        internalEndpoints = Map.copyOf(internalEndpoints);
    }

    /** Creates a snapshot without upstreams and limits, with the default error pages. */
    public RoutingSnapshot(
            RouteTable routes, Map<String, ForwardPolicy> forwards, Map<String, InternalEndpoint> internalEndpoints) {
        this(routes, forwards, internalEndpoints, null, Upstreams.NONE, LimitLookup.NONE, TokenRules.NONE);
    }

    /** Returns the snapshot that applies to an exchange. */
    public static RoutingSnapshot of(Exchange exchange) {
        RoutingSnapshot snapshot = exchange.get(KEY);
        if (snapshot == null) {
            throw new IllegalStateException("routing snapshot: none (expected: one since the exchange was created)");
        }
        return snapshot;
    }

    /** Returns the rules for tokens that apply to an exchange; none where no snapshot does. */
    public static TokenRules tokensOf(Exchange exchange) {
        RoutingSnapshot snapshot = exchange.get(KEY);
        return snapshot == null ? TokenRules.NONE : snapshot.tokens();
    }

    /** Applies this snapshot to an exchange; the codec calls this before any stage sees the exchange. */
    public Exchange rule(Exchange exchange) {
        exchange.put(KEY, this);
        if (pages != null) {
            exchange.put(ErrorPageRenderer.KEY, pages);
        }
        return exchange;
    }

    /** Creates a snapshot of routes alone. */
    public static RoutingSnapshot of(List<Route> routes) {
        return new RoutingSnapshot(new RouteTable(routes), Map.of(), Map.of());
    }

    /** Returns a copy with other pages. */
    public RoutingSnapshot with(@Nullable ErrorPageRenderer others) {
        return new RoutingSnapshot(routes, forwards, internalEndpoints, others, upstreams, lookup, tokens);
    }

    /** Returns a copy with other upstreams. */
    public RoutingSnapshot with(Upstreams others) {
        return new RoutingSnapshot(routes, forwards, internalEndpoints, pages, others, lookup, tokens);
    }

    /** Returns a copy with other limits. */
    public RoutingSnapshot with(LimitLookup others) {
        return new RoutingSnapshot(routes, forwards, internalEndpoints, pages, upstreams, others, tokens);
    }

    /** Returns a copy with other rules for tokens. */
    public RoutingSnapshot with(TokenRules others) {
        return new RoutingSnapshot(routes, forwards, internalEndpoints, pages, upstreams, lookup, others);
    }

    /** Returns the endpoint that serves the path below {@link InternalEndpoint#PREFIX}, or null. */
    public @Nullable InternalEndpoint internalEndpoint(String path) {
        for (Map.Entry<String, InternalEndpoint> entry : internalEndpoints.entrySet()) {
            if (path.startsWith(entry.getKey())) {
                return entry.getValue();
            }
        }
        return null;
    }
}
