package dev.postern.core.route;

import dev.postern.core.exchange.ErrorPageRenderer;
import dev.postern.core.exchange.Exchange;
import dev.postern.core.exchange.ExchangeKey;
import dev.postern.core.upstream.Upstreams;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The configuration that rules an exchange from beginning to end: one immutable snapshot; a reload makes another.
 *
 * @param routes of reverse listeners
 * @param forwards forward policies by name
 * @param ownPaths what the gateway serves itself, by path prefix below {@link InternalEndpoint#PREFIX}
 * @param pages who writes what people see of refusals, or null when we do
 * @param upstreams whom routes lead to
 * @param lookup the limits that routes name
 */
public record RoutingSnapshot(
        RouteTable routes,
        Map<String, ForwardPolicy> forwards,
        Map<String, InternalEndpoint> ownPaths,
        @Nullable ErrorPageRenderer pages,
        Upstreams upstreams,
        LimitLookup lookup) {

    private static final ExchangeKey<RoutingSnapshot> SLOT = ExchangeKey.of("routing snapshot");

    public RoutingSnapshot {
        forwards = Map.copyOf(forwards);
        ownPaths = Map.copyOf(ownPaths);
    }

    /** A policy without upstreams and limits, whose refusals look as ours do. */
    public RoutingSnapshot(
            RouteTable routes, Map<String, ForwardPolicy> forwards, Map<String, InternalEndpoint> ownPaths) {
        this(routes, forwards, ownPaths, null, Upstreams.NONE, LimitLookup.NONE);
    }

    /** The snapshot that rules an exchange from beginning to end. */
    public static RoutingSnapshot of(Exchange exchange) {
        RoutingSnapshot snapshot = exchange.get(SLOT);
        if (snapshot == null) {
            throw new IllegalStateException(
                    "routing snapshot: none (expected: one that rules the exchange since it was made)");
        }
        return snapshot;
    }

    /** Makes this snapshot rule an exchange; its codec does so before any stage sees the exchange. */
    public Exchange rule(Exchange exchange) {
        exchange.put(SLOT, this);
        if (pages != null) {
            exchange.put(ErrorPageRenderer.SLOT, pages);
        }
        return exchange;
    }

    /** A policy of routes alone. */
    public static RoutingSnapshot of(List<Route> routes) {
        return new RoutingSnapshot(new RouteTable(routes), Map.of(), Map.of());
    }

    /** The same with other pages. */
    public RoutingSnapshot with(@Nullable ErrorPageRenderer others) {
        return new RoutingSnapshot(routes, forwards, ownPaths, others, upstreams, lookup);
    }

    /** The same with other upstreams. */
    public RoutingSnapshot with(Upstreams others) {
        return new RoutingSnapshot(routes, forwards, ownPaths, pages, others, lookup);
    }

    /** The same with other limits. */
    public RoutingSnapshot with(LimitLookup others) {
        return new RoutingSnapshot(routes, forwards, ownPaths, pages, upstreams, others);
    }

    /** Who serves that path below {@link InternalEndpoint#PREFIX}, or null. */
    public @Nullable InternalEndpoint ownPath(String path) {
        for (Map.Entry<String, InternalEndpoint> entry : ownPaths.entrySet()) {
            if (path.startsWith(entry.getKey())) {
                return entry.getValue();
            }
        }
        return null;
    }
}
