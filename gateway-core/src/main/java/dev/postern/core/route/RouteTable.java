package dev.postern.core.route;

import dev.postern.core.http.PathRules;
import dev.postern.core.http.RequestHead;
import dev.postern.core.route.RouteConditions.Fit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Table that finds the route of a request: an exact host before {@code *.suffix} (longest first) before {@code *}; then the longest path that
 * ends on a segment border; then the most specific conditions; then the order of the configuration.
 *
 * <p>A request that fulfils conditions only by one of several values under one name may be read otherwise by an upstream. Of the route with
 * these conditions and the one without them it gets the stricter.
 */
public final class RouteTable {

    private final Map<String, List<Route>> exact = new HashMap<>();
    private final List<Suffix> suffixes = new ArrayList<>();
    private final List<Route> any = new ArrayList<>();
    private final List<Route> all;

    public RouteTable(List<Route> routes) {
        all = List.copyOf(routes);
        List<Route> specificFirst = new ArrayList<>(routes);
        specificFirst.sort(Comparator.comparingInt((Route r) -> r.path().length())
                .reversed()
                .thenComparing((one, other) -> RouteConditions.compare(one.conditions(), other.conditions())));
        for (Route route : specificFirst) {
            listOf(route.host()).add(route);
        }
        suffixes.sort(Comparator.comparingInt((Suffix s) -> s.text().length()).reversed());
    }

    /** Returns all routes in the order of the configuration. */
    public List<Route> all() {
        return all;
    }

    /** @param path of the request, normalised, starting with {@code /}; or a reading of it */
    public @Nullable Route match(RequestHead request, String path) {
        Route found = mostSpecific(request, path);
        RouteConditions conditions = found == null ? null : found.conditions();
        return conditions == null || conditions.fit(request) == Fit.YES ? found : strictest(request, path);
    }

    /** Returns the first route that the request may be meant for. */
    private @Nullable Route mostSpecific(RequestHead request, String path) {
        String host = request.host();
        Route found = first(exact.get(host), request, path);
        if (found != null) {
            return found;
        }
        for (Suffix suffix : suffixes) {
            if (suffix.covers(host)) {
                found = first(suffix.routes(), request, path);
                if (found != null) {
                    return found;
                }
            }
        }
        return first(any, request, path);
    }

    /**
     * Returns the strictest of the routes that the request may be meant for, up to the first that it is meant for in any reading; null when there
     * is no such.
     */
    private @Nullable Route strictest(RequestHead request, String path) {
        Route strictest = null;
        for (Route route : candidates(request.host())) {
            Fit fit = fit(route, request, path);
            if (fit != Fit.NO && (strictest == null || route.stricterThan(strictest))) {
                strictest = route;
            }
            if (fit == Fit.YES) {
                return strictest;
            }
        }
        return null;
    }

    private List<Route> candidates(String host) {
        List<Route> candidates = new ArrayList<>(exact.getOrDefault(host, List.of()));
        for (Suffix suffix : suffixes) {
            if (suffix.covers(host)) {
                candidates.addAll(suffix.routes());
            }
        }
        candidates.addAll(any);
        return candidates;
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
        return exact.containsKey(host) || suffixes.stream().anyMatch(suffix -> suffix.covers(host));
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

    private static @Nullable Route first(@Nullable List<Route> specificFirst, RequestHead request, String path) {
        if (specificFirst == null) {
            return null;
        }
        for (int i = 0; i < specificFirst.size(); i++) {
            Route route = specificFirst.get(i);
            if (fit(route, request, path) != Fit.NO) {
                return route;
            }
        }
        return null;
    }

    private static Fit fit(Route route, RequestHead request, String path) {
        if (!PathRules.covers(route.path(), path)) {
            return Fit.NO;
        }
        RouteConditions conditions = route.conditions();
        return conditions == null ? Fit.YES : conditions.fit(request);
    }

    private record Suffix(String text, List<Route> routes) {

        boolean covers(String host) {
            return host.length() > text.length() && host.endsWith(text);
        }
    }
}
