package dev.postern.core.route;

import dev.postern.core.exchange.Exchange;
import dev.postern.core.exchange.Question;
import dev.postern.core.http.Authority;
import dev.postern.core.http.PathReadings;
import dev.postern.core.http.RequestHead;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Path agreement: decides in which form the upstream gets the path, derives the readings of this form once for an exchange, and compares what
 * the rules about paths make of them. The readings of a path that no upstream gets, that of an internal endpoint or without a route, are
 * those of the client's spelling.
 */
final class PathAgreement {

    /** The first segment that is not empty. */
    private static final Pattern AUTHORITY = Pattern.compile("/++([^/]*+).*", Pattern.DOTALL);

    private static final Pattern NOT_ASCII = Pattern.compile("%[89A-F]");

    private PathAgreement() {}

    /**
     * Returns whether every reading of the path leads to the same route, or to the gateway itself, and is redirected and rewritten alike;
     * false also when there are too many readings. Sets the readings of the request.
     */
    static boolean reached(Exchange exchange, RouteTable routes) {
        RequestHead request = exchange.request();
        if (request.plainPath()) {
            return true;
        }
        String path = request.path();
        @Nullable Route route = own(path) ? null : routes.match(request, path);
        // Another proxy that asks forwards the path as it describes it, whatever the route says.
        boolean asSent = route == null || route.transform().sendsPathAsSent() || Question.isAnsweredBy(exchange);
        if (!asSent) {
            request.sendNormalPath();
        }
        @Nullable Set<String> readings = PathReadings.of(asSent ? request.sentPath() : path);
        if (readings == null || !agreed(readings, request, routes, route)) {
            return false;
        }
        request.otherReadings(readings);
        return route == null || route.transform().agrees(exchange, readings);
    }

    private static boolean agreed(
            Set<String> readings, RequestHead request, RouteTable routes, @Nullable Route expected) {
        boolean own = own(request.path());
        for (String reading : readings) {
            if (own(reading) != own
                    || !own && !Objects.equals(routes.match(request, reading), expected)
                    || namesAnotherHost(reading, request, routes)) {
                return false;
            }
        }
        return true;
    }

    /**
     * Returns whether a server that reads the path as a reference ({@code //host/path}) may serve a host of another route. A URL by WHATWG
     * skips further slashes, and maps characters beyond ASCII, such as full-width letters, to those of a host.
     */
    private static boolean namesAnotherHost(String path, RequestHead request, RouteTable routes) {
        if (!path.startsWith("//")) {
            return false;
        }
        String authority = AUTHORITY.matcher(path).replaceFirst("$1");
        if (NOT_ASCII.matcher(authority).find()) {
            return routes.namesHosts();
        }
        String host = Authority.host(authority);
        return routes.names(host) && !host.equals(request.host());
    }

    private static boolean own(String path) {
        return path.startsWith(InternalEndpoint.PREFIX);
    }
}
