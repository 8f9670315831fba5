package dev.postern.core.route;

import dev.postern.core.refusal.PageRule;
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
 */
public record Policy(
        RouteTable routes,
        Map<String, ForwardPolicy> forwards,
        Map<String, OwnPath> ownPaths,
        @Nullable PageRule pages) {

    /** A policy whose refusals look as ours do. */
    public Policy(RouteTable routes, Map<String, ForwardPolicy> forwards, Map<String, OwnPath> ownPaths) {
        this(routes, forwards, ownPaths, null);
    }

    public Policy {
        forwards = Map.copyOf(forwards);
        ownPaths = Map.copyOf(ownPaths);
    }

    /** A policy of routes alone. */
    public static Policy of(List<Route> routes) {
        return new Policy(new RouteTable(routes), Map.of(), Map.of());
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
