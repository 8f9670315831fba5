package dev.postern.app.config.read;

import dev.postern.app.config.GatewayConfig;
import dev.postern.app.config.RouteConfig;
import dev.postern.core.config.Kebab;
import dev.postern.core.route.Route;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Warns of a route for many hosts that requires less than the route of one of these hosts, if both have the same upstream: a client that
 * names another host avoids the stricter route, unless the upstream itself distinguishes hosts.
 */
final class RouteChecks {

    private static final String ANY = "*";

    private final List<RouteConfig> routes;
    private final Findings findings;
    private final Set<List<Integer>> reported = new HashSet<>();

    RouteChecks(GatewayConfig config, Findings findings) {
        this.routes = config.routes();
        this.findings = findings;
    }

    void run() {
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

    private void compare(int strict, int wide) {
        if (strict < 0 || wide < 0 || strict == wide) {
            return;
        }
        RouteConfig one = routes.get(strict);
        RouteConfig other = routes.get(wide);
        String missing = missing(one, other);
        boolean shared = one.upstream().equals(other.upstream()) && !leadsElsewhere(other);
        if (missing != null && shared && reported.add(List.of(strict, wide))) {
            findings.warning(
                    "routes/" + wide + "/host",
                    other.host() + other.path() + ": leads to upstream " + other.upstream() + " without the " + missing
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
                .filter(route -> covers(route.host(), host) && below(route.path(), path))
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
