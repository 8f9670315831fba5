package dev.postern.core.route;

import dev.postern.core.exchange.Exchange;
import dev.postern.core.exchange.PageRule;
import dev.postern.core.exchange.Slot;
import dev.postern.core.upstream.Upstreams;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The configuration that rules an exchange from beginning to end: one immutable snapshot; a reload makes another.
 *
 * @param routes of reverse listeners
 * @param forwards forward policies by name
 * @param ownPaths what the gateway serves itself, by path prefix below {@link OwnPath#PREFIX}
 * @param pages who writes what people see of refusals, or null when we do
 * @param upstreams whom routes lead to
 * @param admission the limits that routes name
 */
public record Policy(
        RouteTable routes,
        Map<String, ForwardPolicy> forwards,
        Map<String, OwnPath> ownPaths,
        @Nullable PageRule pages,
        Upstreams upstreams,
        Admission admission) {

    private static final Slot<Policy> SLOT = Slot.of("routing snapshot");

    public Policy {
        forwards = Map.copyOf(forwards);
        ownPaths = Map.copyOf(ownPaths);
    }

    /** A policy without upstreams and limits, whose refusals look as ours do. */
    public Policy(RouteTable routes, Map<String, ForwardPolicy> forwards, Map<String, OwnPath> ownPaths) {
        this(routes, forwards, ownPaths, null, Upstreams.NONE, Admission.NONE);
    }

    /** The snapshot that rules an exchange from beginning to end. */
    public static Policy of(Exchange exchange) {
        Policy policy = exchange.get(SLOT);
        if (policy == null) {
            throw new IllegalStateException(
                    "routing snapshot: none (expected: one that rules the exchange since it was made)");
        }
        return policy;
    }

    /** Makes this snapshot rule an exchange; its codec does so before any stage sees the exchange. */
    public Exchange rule(Exchange exchange) {
        exchange.put(SLOT, this);
        if (pages != null) {
            exchange.put(PageRule.SLOT, pages);
        }
        return exchange;
    }

    /** A policy of routes alone. */
    public static Policy of(List<Route> routes) {
        return new Policy(new RouteTable(routes), Map.of(), Map.of());
    }

    /** The same with other pages. */
    public Policy with(@Nullable PageRule others) {
        return new Policy(routes, forwards, ownPaths, others, upstreams, admission);
    }

    /** The same with other upstreams. */
    public Policy with(Upstreams others) {
        return new Policy(routes, forwards, ownPaths, pages, others, admission);
    }

    /** The same with other limits. */
    public Policy with(Admission others) {
        return new Policy(routes, forwards, ownPaths, pages, upstreams, others);
    }

    /** Who serves that path below {@link OwnPath#PREFIX}, or null. */
    public @Nullable OwnPath ownPath(String path) {
        for (Map.Entry<String, OwnPath> entry : ownPaths.entrySet()) {
            if (path.startsWith(entry.getKey())) {
                return entry.getValue();
            }
        }
        return null;
    }
}
