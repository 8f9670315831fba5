package dev.postern.core.route;

import dev.postern.core.http.PathRules;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Table that finds the route of a host and a path: an exact host before {@code *.suffix} (longest first) before {@code *}; then the longest
 * path that ends on a segment border.
 */
public final class RouteTable {

    private final Map<String, List<Route>> exact = new HashMap<>();
    private final List<Suffix> suffixes = new ArrayList<>();
    private final List<Route> any = new ArrayList<>();
    private final List<Route> all;

    public RouteTable(List<Route> routes) {
        all = List.copyOf(routes);
        List<Route> longestFirst = new ArrayList<>(routes);
        longestFirst.sort(
                Comparator.comparingInt((Route r) -> r.path().length()).reversed());
        for (Route route : longestFirst) {
            listOf(route.host()).add(route);
        }
        suffixes.sort(Comparator.comparingInt((Suffix s) -> s.text().length()).reversed());
    }

    /** Returns all routes in the order of the configuration. */
    public List<Route> all() {
        return all;
    }

    /**
     * @param host in canonical form, without port
     * @param path normalised, starting with {@code /}; or a reading of such a path
     */
    public @Nullable Route match(String host, String path) {
        Route found = first(exact.get(host), path);
        if (found != null) {
            return found;
        }
        for (Suffix suffix : suffixes) {
            if (host.length() > suffix.text().length() && host.endsWith(suffix.text())) {
                found = first(suffix.routes(), path);
                if (found != null) {
                    return found;
                }
            }
        }
        return first(any, path);
    }

    /** Returns whether any route serves the host. */
    public boolean serves(String host) {
        return !any.isEmpty() || names(host);
    }

    /** Returns whether any route names a host or a suffix. */
    boolean namesHosts() {
        return !exact.isEmpty() || !suffixes.isEmpty();
    }

    /** Returns whether a route names the host, or a suffix of it. */
    boolean names(String host) {
        return exact.containsKey(host)
                || suffixes.stream().anyMatch(s -> host.length() > s.text().length() && host.endsWith(s.text()));
    }

    private List<Route> listOf(String host) {
        if (host.equals("*")) {
            return any;
        }
        if (!host.startsWith("*.")) {
            return exact.computeIfAbsent(host, h -> new ArrayList<>());
        }
        String text = host.substring(1);
        for (Suffix suffix : suffixes) {
            if (suffix.text().equals(text)) {
                return suffix.routes();
            }
        }
        Suffix added = new Suffix(text, new ArrayList<>());
        suffixes.add(added);
        return added.routes();
    }

    private static @Nullable Route first(@Nullable List<Route> longestFirst, String path) {
        if (longestFirst == null) {
            return null;
        }
        for (int i = 0; i < longestFirst.size(); i++) {
            Route route = longestFirst.get(i);
            if (PathRules.covers(route.path(), path)) {
                return route;
            }
        }
        return null;
    }

    private record Suffix(String text, List<Route> routes) {}
}
