package dev.postern.app.config.read;

import dev.postern.app.config.GatewayConfig;
import dev.postern.app.config.RouteConfig;
import dev.postern.core.config.Kebab;
import dev.postern.core.config.Rate;
import dev.postern.core.route.Route;
import dev.postern.core.route.RouteConditions;
import dev.postern.ratelimit.store.RateLimitRule;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Warns of routes by which clients avoid a stricter one: a route for many hosts that requires less than the route of one of these hosts, if both
 * have the same upstream and it does not distinguish hosts; and a route under conditions, which clients choose to fulfil, that requires less than
 * the route without them.
 */
final class RouteChecks {

    private static final String ANY = "*";

    private final List<RouteConfig> routes;
    private final Map<String, RateLimitRule> limits = new HashMap<>();
    private final Findings findings;
    private final Set<List<Integer>> reported = new HashSet<>();

    RouteChecks(GatewayConfig config, Findings findings) {
        this.routes = config.routes();
        this.findings = findings;
        config.rateLimits().forEach(limit -> limits.put(limit.name(), limit));
    }

    void run() {
        for (int i = 0; i < routes.size(); i++) {
            conditions(i);
        }
        Set<String> hosts = new TreeSet<>();
        Set<String> paths = new TreeSet<>();
        routes.forEach(route -> {
            hosts.add(route.host());
            paths.add(route.path());
        });
        for (String host : hosts) {
            for (String pattern : hosts) {
                if (!host.equals(pattern) && covers(pattern, host)) {
                    paths.forEach(path -> compare(match(host, path), match(pattern, path)));
                }
            }
        }
    }

    /** Compares a route under conditions with the route that serves the same requests without them. */
    private void conditions(int index) {
        RouteConfig narrow = routes.get(index);
        if (narrow.match().conditions() == null || !narrow.passes() || leadsElsewhere(narrow)) {
            return;
        }
        int shadowed = shadowed(narrow);
        String missing = shadowed < 0 ? null : weaker(routes.get(shadowed), narrow);
        if (missing != null) {
            findings.warning(
                    "routes/" + index + "/match",
                    narrow.name() + ": clients choose whether they fulfil this, and so avoid the " + missing + " of "
                            + findings.location("routes/" + shadowed) + ", "
                            + routes.get(shadowed).name() + ". Require at least the same here");
        }
    }

    /** Returns the index of the next route for all requests that a route under conditions is for; -1 for none. */
    private int shadowed(RouteConfig narrow) {
        return routes.stream()
                .filter(route -> !route.equals(narrow)
                        && covers(route.host(), narrow.host())
                        && below(route.path(), narrow.path())
                        && route.match().covers(narrow.match()))
                .max(Comparator.<RouteConfig>comparingInt(route -> rank(route.host()))
                        .thenComparingInt(route -> route.path().length())
                        .thenComparing(RouteChecks::lessSpecific))
                .map(routes::indexOf)
                .orElse(-1);
    }

    private static int lessSpecific(RouteConfig one, RouteConfig other) {
        return RouteConditions.compare(other.match().conditions(), one.match().conditions());
    }

    /** Returns what a route requires and another one does not require as much; null for nothing. */
    private @Nullable String weaker(RouteConfig strict, RouteConfig other) {
        if (strict.token().rank() > other.token().rank()) {
            return "token: " + Kebab.ofConstant(strict.token());
        }
        if (strict.rateLimit() == null) {
            return null;
        }
        return other.rateLimit() == null || perSecond(other.rateLimit()) > perSecond(strict.rateLimit())
                ? "rate-limit: " + strict.rateLimit()
                : null;
    }

    /** Returns the requests of a rate limit in a second; zero where clients are limited otherwise. */
    private double perSecond(String limit) {
        RateLimitRule rule = limits.get(limit);
        Rate rate = rule == null ? null : rule.rate();
        return rate == null ? 0 : rate.count() / (double) rate.period().toSeconds();
    }

    private void compare(int strict, int wide) {
        if (strict < 0 || wide < 0 || strict == wide) {
            return;
        }
        RouteConfig one = routes.get(strict);
        RouteConfig other = routes.get(wide);
        String missing = missing(one, other);
        boolean shared = !Collections.disjoint(one.upstreamNames(), other.upstreamNames()) && !leadsElsewhere(other);
        if (missing != null && shared && reported.add(List.of(strict, wide))) {
            findings.warning(
                    "routes/" + wide + "/host",
                    other.host() + other.path() + ": leads to upstream " + String.join(" | ", other.upstreamNames())
                            + " without the " + missing
                            + " of " + findings.location("routes/" + strict) + ", " + one.host() + one.path()
                            + "; a client that names another host avoids it. Give both routes the same, or separate"
                            + " upstreams");
        }
    }

    /** Returns the requirement that the strict route has and the wide route lacks; null for none. */
    private static @Nullable String missing(RouteConfig strict, RouteConfig wide) {
        if (asks(strict) && !asks(wide)) {
            return "token: " + Kebab.ofConstant(strict.token());
        }
        return strict.rateLimit() != null && wide.rateLimit() == null ? "rate-limit: " + strict.rateLimit() : null;
    }

    private static boolean asks(RouteConfig route) {
        return route.token() == Route.Token.REQUIRED || route.token() == Route.Token.SESSION;
    }

    /** Returns whether the route redirects all clients to another host, so that none reaches the upstream. */
    private static boolean leadsElsewhere(RouteConfig route) {
        return route.redirect() != null && route.redirect().to().matches("https?://[^{/][^/]*(/.*)?");
    }

    /** Returns the index of the route for a path and a host (or any host of a pattern); -1 for none. */
    private int match(String host, String path) {
        return routes.stream()
                .filter(route ->
                        route.match().conditions() == null && covers(route.host(), host) && below(route.path(), path))
                .max(Comparator.<RouteConfig>comparingInt(route -> rank(route.host()))
                        .thenComparingInt(route -> route.path().length()))
                .map(routes::indexOf)
                .orElse(-1);
    }

    static boolean covers(String pattern, String host) {
        boolean suffix = pattern.startsWith("*.") && host.endsWith(pattern.substring(1));
        return pattern.equals(ANY) || pattern.equals(host) || suffix;
    }

    private static int rank(String host) {
        return host.equals(ANY) ? 0 : host.startsWith("*.") ? host.length() : 1000;
    }

    static boolean below(String prefix, String path) {
        return path.equals(prefix) || path.startsWith(prefix.endsWith("/") ? prefix : prefix + "/");
    }
}
