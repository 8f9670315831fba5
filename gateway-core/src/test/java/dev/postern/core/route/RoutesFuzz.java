package dev.postern.core.route;

import dev.postern.core.exchange.Exchange;
import dev.postern.core.exchange.Timeline;
import dev.postern.core.fuzz.Asking;
import dev.postern.core.fuzz.Lines;
import dev.postern.core.fuzz.Must;
import dev.postern.core.fuzz.StrictPath;
import dev.postern.core.fuzz.StrictReadings;
import dev.postern.core.http.PathRules;
import dev.postern.core.http.RequestHead;
import dev.postern.core.http1.HeadBytes;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Paths and routes: one spelling, which stays as it is, hides no dots and is that of RFC 3986; and the route that every reading of it leads to when
 * all routes are looked at, in whatever order they stand, or a refusal. An input is lines: target, host, then routes such as
 * {@code *.example /a}.
 */
public final class RoutesFuzz {

    private static final int MAX_ROUTES = 20;

    private RoutesFuzz() {}

    public static void fuzzerTestOneInput(byte[] input) {
        accepts(input);
    }

    /** Checks what must hold; says whether a route was found. */
    public static boolean accepts(byte[] input) {
        List<String> lines = Lines.of(input, 3);
        path(lines.get(0));
        List<Route> routes = routes(lines.get(2));
        RequestHead head = HeadBytes.read("GET " + lines.get(0) + " HTTP/1.1\r\nHost: " + lines.get(1) + "\r\n\r\n");
        if (head == null
                || head.path().startsWith(InternalEndpoint.PREFIX)
                || head.path().equals("*")) {
            return false;
        }
        Must.equal(StrictReadings.of(head.path()), readings(head), "what servers take the path for");
        @Nullable Route found = matched(head, routes);
        Set<String> places = readings(head).stream()
                .map(path -> path.startsWith(InternalEndpoint.PREFIX) ? "own" : place(best(routes, head.host(), path)))
                .collect(Collectors.toSet());
        Must.equal(place(found), places.size() == 1 ? places.iterator().next() : "none", "the route of every reading");
        List<Route> otherwise = new ArrayList<>(routes);
        Collections.shuffle(otherwise, new Random(input.length));
        Must.equal(place(matched(head, otherwise)), place(found), "the route, however they stand");
        return found != null;
    }

    private static void path(String path) {
        if (!path.startsWith("/")) {
            return;
        }
        @Nullable String normal = PathRules.normalise(path);
        Must.equal(normal, StrictPath.of(path), "the normal form");
        if (normal != null) {
            Must.equal(PathRules.normalise(normal), normal, "a normal form that stays");
            Must.hold(
                    !(normal.replaceAll(";[^/]*", "") + "/").matches("(?s).*/\\.\\.?/.*"), "no dots behind parameters");
        }
    }

    private static @Nullable Route matched(RequestHead head, List<Route> routes) {
        Exchange exchange = Asking.exchange(Asking.STRANGER, head, List.of());
        RoutingSnapshot snapshot = RoutingSnapshot.of(routes);
        exchange = snapshot.rule(new Exchange(
                exchange.client(),
                head,
                new Exchange.Carrier(exchange.body(), exchange.response(), exchange.turn()),
                new Timeline(0)));
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

    /** Negative when the route is not for that host. */
    private static int rank(String route, String host) {
        if (route.equals("*")) {
            return 0;
        }
        if (!route.startsWith("*.")) {
            return route.equals(host) ? Integer.MAX_VALUE : -1;
        }
        return host.endsWith(route.substring(1)) && host.length() >= route.length() ? route.length() : -1;
    }

    private static Set<String> readings(RequestHead head) {
        Set<String> readings = new LinkedHashSet<>(head.otherReadings());
        readings.add(head.path());
        return readings;
    }

    private static String place(@Nullable Route route) {
        return route == null ? "none" : route.host() + route.path();
    }

    private static String place(Optional<Route> route) {
        return place(route.orElse(null));
    }

    private static List<Route> routes(String text) {
        List<Route> routes = new ArrayList<>();
        for (String line : text.split("\n", MAX_ROUTES)) {
            String[] words = line.split(" ", 2);
            boolean host = words[0].matches("\\*|(\\*\\.)?[a-z0-9.-]+");
            if (host && words.length == 2 && words[1].startsWith("/") && words[1].equals(StrictPath.of(words[1]))) {
                routes.add(new Route(
                        line,
                        words[0],
                        words[1],
                        "app",
                        Route.Token.OFF,
                        null,
                        Route.Preflight.FORWARD,
                        Duration.ZERO,
                        0));
            }
        }
        return routes;
    }
}
