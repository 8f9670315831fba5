package dev.postern.app.config.read;

import dev.postern.app.config.GatewayConfig;
import dev.postern.app.config.RouteConfig;
import dev.postern.app.config.type.Kebab;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Warns about a route for many hosts with weaker requirements than the route of one of these hosts, if both use the same upstream. A client
 * that sends another host name gets the same pages under the weaker requirements, unless the upstream distinguishes hosts.
 */
final class RouteChecks {

    private static final String ANY = "*";

    private final List<RouteConfig> routes;
    private final Findings findings;
    private final Set<List<Integer>> told = new HashSet<>();

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
        if (missing != null && shared && told.add(List.of(strict, wide))) {
            findings.warning(
                    "routes/" + wide + "/host",
                    other.host() + other.path() + ": leads to upstream " + other.upstream() + " without the " + missing
                            + " of " + findings.place("routes/" + strict) + ", " + one.host() + one.path()
                            + "; a client that sends another host name bypasses it. Give both the same, or an"
                            + " upstream each");
        }
    }

    /** Returns the requirement of the strict route that the wide route does not have; null for none. */
    private static @Nullable String missing(RouteConfig strict, RouteConfig wide) {
        if (asks(strict) && !asks(wide)) {
            return "token: " + Kebab.ofConstant(strict.token());
        }
        return strict.rateLimit() != null && wide.rateLimit() == null ? "rate-limit: " + strict.rateLimit() : null;
    }

    private static boolean asks(RouteConfig route) {
        return route.token() == RouteConfig.Token.REQUIRED || route.token() == RouteConfig.Token.SESSION;
    }

    /** Returns whether the route redirects every request to a fixed other host, so that no request reaches the upstream. */
    private static boolean leadsElsewhere(RouteConfig route) {
        return route.redirect() != null && route.redirect().to().matches("https?://[^{/][^/]*(/.*)?");
    }

    /** Returns the index of the route that matches the host, or all hosts of the pattern, and the path; -1 for none. */
    private int match(String host, String path) {
        return routes.stream()
                .filter(route -> covers(route.host(), host) && below(route.path(), path))
                .max(Comparator.<RouteConfig>comparingInt(route -> rank(route.host()))
                        .thenComparingInt(route -> route.path().length()))
                .map(routes::indexOf)
                .orElse(-1);
    }

    private static boolean covers(String pattern, String host) {
        boolean suffix = pattern.startsWith("*.") && host.endsWith(pattern.substring(1));
        return pattern.equals(ANY) || pattern.equals(host) || suffix;
    }

    private static int rank(String host) {
        return host.equals(ANY) ? 0 : host.startsWith("*.") ? host.length() : 1000;
    }

    private static boolean below(String prefix, String path) {
        return path.equals(prefix) || path.startsWith(prefix.endsWith("/") ? prefix : prefix + "/");
    }
}
