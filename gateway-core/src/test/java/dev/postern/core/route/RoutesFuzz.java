package dev.postern.core.route;

import dev.postern.core.exchange.Exchange;
import dev.postern.core.exchange.Timeline;
import dev.postern.core.fuzz.FuzzCheck;
import dev.postern.core.fuzz.InputLines;
import dev.postern.core.fuzz.StrictPath;
import dev.postern.core.fuzz.StrictReadings;
import dev.postern.core.fuzz.TestExchanges;
import dev.postern.core.http.PathRules;
import dev.postern.core.http.RequestHead;
import dev.postern.core.http1.HeadBytes;
import dev.postern.core.testing.TestRoute;
import io.netty.util.concurrent.Ticker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Fuzzes paths and routes. A path has one normal form, that of RFC 3986, without hidden dot segments. The matched route is the one to which
 * every reading of the path leads when all routes are compared, in any order; otherwise the request is refused. An input is lines: target,
 * host, then routes such as {@code *.example /a}.
 */
public final class RoutesFuzz {

    private static final int MAX_ROUTES = 20;

    private RoutesFuzz() {}

    public static void fuzzerTestOneInput(byte[] input) {
        accepts(input);
    }

    /** Checks the invariants; returns whether a route was found. */
    public static boolean accepts(byte[] input) {
        List<String> lines = InputLines.of(input, 3);
        path(lines.get(0));
        List<Route> routes = routes(lines.get(2));
        RequestHead head = HeadBytes.read("GET " + lines.get(0) + " HTTP/1.1\r\nHost: " + lines.get(1) + "\r\n\r\n");
        if (head == null
                || head.path().startsWith(InternalEndpoint.PREFIX)
                || head.path().equals("*")) {
            return false;
        }
        @Nullable Set<String> readings = StrictReadings.of(head.sentPath());
        @Nullable Route found = matched(head, routes);
        if (readings == null) {
            FuzzCheck.hold(found == null, "no route for too many readings");
            return false;
        }
        Set<String> names = readings.stream()
                .map(path -> path.startsWith(InternalEndpoint.PREFIX) ? "own" : name(best(routes, head.host(), path)))
                .collect(Collectors.toSet());
        if (readings.stream().anyMatch(path -> path.startsWith("//"))) {
            FuzzCheck.hold(
                    found == null || names.equals(Set.of(name(found))), "a route of every reading, or none for //host");
            return found != null;
        }
        FuzzCheck.equal(
                name(found), names.size() == 1 ? names.iterator().next() : "none", "the route of every reading");
        List<Route> shuffled = new ArrayList<>(routes);
        Collections.shuffle(shuffled, new Random(input.length));
        FuzzCheck.equal(name(matched(head, shuffled)), name(found), "the route, in any order of routes");
        return found != null;
    }

    private static void path(String path) {
        if (!path.startsWith("/")) {
            return;
        }
        @Nullable String normal = PathRules.normalise(path);
        FuzzCheck.equal(normal, StrictPath.of(path), "the normal form");
        if (normal != null) {
            FuzzCheck.equal(PathRules.normalise(normal), normal, "a normal form that does not change");
            FuzzCheck.hold(
                    !(normal.replaceAll(";[^/]*", "") + "/").matches("(?s).*/\\.\\.?/.*"), "no dots after parameters");
        }
    }

    private static @Nullable Route matched(RequestHead head, List<Route> routes) {
        Exchange exchange = TestExchanges.exchange(TestExchanges.UNTRUSTED, head, List.of());
        RoutingSnapshot snapshot = RoutingSnapshot.of(routes);
        exchange = snapshot.rule(new Exchange(
                exchange.client(),
                head,
                new Exchange.Carrier(exchange.body(), exchange.response(), exchange.turn()),
                new Timeline(Ticker.newMockTicker())));
        RouteMatch.of(exchange);
        return Route.orNull(exchange);
    }

    private static Optional<Route> best(List<Route> routes, String host, String path) {
        return routes.stream()
                .filter(route -> rank(route.host(), host) >= 0)
                .filter(route -> (path + "/").startsWith(route.path().replaceAll("/$", "") + "/"))
                .filter(route -> path.startsWith(route.path()))
                .max(Comparator.comparingInt((Route route) -> rank(route.host(), host))
                        .thenComparingInt(route -> route.path().length()));
    }

    /** Returns a negative rank when the route is not for that host. */
    private static int rank(String route, String host) {
        if (route.equals("*")) {
            return 0;
        }
        if (!route.startsWith("*.")) {
            return route.equals(host) ? Integer.MAX_VALUE : -1;
        }
        return host.endsWith(route.substring(1)) && host.length() >= route.length() ? route.length() : -1;
    }

    private static String name(@Nullable Route route) {
        return route == null ? "none" : route.host() + route.path();
    }

    private static String name(Optional<Route> route) {
        return name(route.orElse(null));
    }

    private static List<Route> routes(String text) {
        List<Route> routes = new ArrayList<>();
        for (String line : text.split("\n", MAX_ROUTES)) {
            String[] words = line.split(" ", 2);
            boolean host = words[0].matches("\\*|(\\*\\.)?[a-z0-9.-]+");
            if (host && words.length == 2 && words[1].startsWith("/") && words[1].equals(StrictPath.of(words[1]))) {
                routes.add(TestRoute.of(
                        line, words[0], words[1], "app", Route.Token.OFF, null, Preflight.FORWARD, Duration.ZERO, 0));
            }
        }
        return routes;
    }
}
