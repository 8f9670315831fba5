package dev.postern.core.route;

import dev.postern.core.exchange.Exchange;
import dev.postern.core.exchange.LocalReply;
import dev.postern.core.exchange.Question;
import dev.postern.core.headers.MaxForwards;
import dev.postern.core.http.HttpParseException;
import dev.postern.core.http.Method;
import dev.postern.core.http.Refusal;
import dev.postern.core.http.RequestHead;
import dev.postern.core.net.AddressRule;
import org.jspecify.annotations.Nullable;

/** Match of a request to a route, an internal endpoint or a refusal. A plain rule over the request head and the policy. */
public final class RouteMatch {

    private static final Result PASS = new Result(null, null);

    /** Endpoint that responds on behalf of the gateway as the final recipient (RFC 9110 section 9.3.7). */
    private static final InternalEndpoint HERE = exchange -> exchange.reply(LocalReply.of(204, "", ""));

    private RouteMatch() {}

    /**
     * Result of the match; without refusal and endpoint, the exchange has a route and proceeds.
     *
     * @param refusal why the exchange ends here
     * @param endpoint the internal endpoint that serves the exchange
     */
    public record Result(
            @Nullable Refusal refusal, @Nullable InternalEndpoint endpoint) {}

    /** Matches the request, and sets the exchange's route where there is one. */
    public static Result of(Exchange exchange) {
        return exchange.client().listener().reverse() ? reverse(exchange) : forward(exchange);
    }

    /** Returns the result for a request that addresses the gateway itself or must not be forwarded; null when it may be forwarded. */
    private static @Nullable Result endsHere(RequestHead request, boolean aboutUs) {
        return switch (MaxForwards.judge(request)) {
            case MALFORMED -> refused(Refusal.REQUEST_MALFORMED);
            case ENDS_HERE -> new Result(null, HERE);
            case GOES_ON -> aboutUs ? new Result(null, HERE) : null;
        };
    }

    private static Result reverse(Exchange exchange) {
        RequestHead request = exchange.request();
        if (request.method().equals(Method.CONNECT) || request.method().equals(Method.TRACE)) {
            return refused(Refusal.METHOD_REFUSED);
        }
        String path = request.path();
        RouteTable routes = RoutingSnapshot.of(exchange).routes();
        if (!PathAgreement.reached(exchange, routes)) {
            exchange.outcome().reason("readings");
            return refused(Refusal.REQUEST_MALFORMED);
        }
        if (Question.isAnsweredBy(exchange)) {
            return asked(exchange, routes);
        }
        if (path.startsWith(InternalEndpoint.PREFIX)) {
            InternalEndpoint endpoint = RoutingSnapshot.of(exchange).internalEndpoint(path);
            return endpoint == null ? refused(Refusal.ROUTE_NOT_FOUND) : new Result(null, endpoint);
        }
        String host = request.host();
        Result ends = routes.serves(host) ? endsHere(request, path.equals("*")) : null;
        if (ends != null) {
            return ends;
        }
        Result result = matched(exchange, routes);
        return result.equals(PASS) && !bodyFits(request, Route.of(exchange)) ? refused(Refusal.BODY_TOO_LARGE) : result;
    }

    /**
     * Matches the request that a question describes. Nothing ends here: a response of the gateway itself would let the request pass, and the
     * paths of the gateway are not those of the site behind the other proxy.
     */
    private static Result asked(Exchange exchange, RouteTable routes) {
        String path = exchange.request().path();
        boolean ofSite = !path.startsWith(InternalEndpoint.PREFIX) && !path.equals("*");
        return ofSite ? matched(exchange, routes) : refused(Refusal.ROUTE_NOT_FOUND);
    }

    private static Result matched(Exchange exchange, RouteTable routes) {
        RequestHead request = exchange.request();
        Route route = routes.match(request, request.path());
        if (route == null) {
            return refused(routes.serves(request.host()) ? Refusal.ROUTE_NOT_FOUND : Refusal.MISDIRECTED);
        }
        route.assignTo(exchange);
        AddressRule addresses = route.addresses();
        boolean denied = addresses != null && addresses.denies(exchange.clientAddress());
        return denied ? refused(Refusal.ADDRESS_DENIED) : PASS;
    }

    private static Result forward(Exchange exchange) {
        RequestHead request = exchange.request();
        boolean connect = request.method().equals(Method.CONNECT);
        boolean extended = request.majorVersion() > 1 && !request.upgrade().isEmpty();
        if (extended || (!request.absolute() && !connect)) {
            return toGateway(exchange, extended);
        }
        if (request.absolute() && !request.scheme().equals("http")) {
            return refused(Refusal.DESTINATION_FORBIDDEN);
        }
        return permitted(exchange);
    }

    /** Matches a request that names a path of the gateway itself: only UDP tunnels are served. */
    private static Result toGateway(Exchange exchange, boolean extended) {
        RequestHead request = exchange.request();
        boolean udp = request.upgrade().equalsIgnoreCase(UdpTarget.PROTOCOL);
        if (!request.path().startsWith(UdpTarget.PREFIX)) {
            return refused(udp ? Refusal.ROUTE_NOT_FOUND : extended ? Refusal.NOT_IMPLEMENTED : Refusal.MISDIRECTED);
        }
        if (!udp) {
            exchange.outcome().reason("connect-udp");
            return refused(Refusal.REQUEST_MALFORMED); // RFC 9298 section 3.2
        }
        try {
            UdpTarget.parse(request).assignTo(exchange);
        } catch (HttpParseException fault) {
            exchange.outcome().reason(String.valueOf(fault.getMessage()));
            return refused(Refusal.REQUEST_MALFORMED);
        }
        return permitted(exchange);
    }

    private static Result permitted(Exchange exchange) {
        RequestHead request = exchange.request();
        ForwardPolicy policy = ForwardPolicy.of(exchange);
        if (policy == null) {
            return refused(Refusal.DESTINATION_FORBIDDEN);
        }
        Result ends = endsHere(request, false);
        if (ends != null) {
            return ends;
        }
        policy.route().assignTo(exchange);
        return bodyFits(request, policy.route()) ? PASS : refused(Refusal.BODY_TOO_LARGE);
    }

    private static boolean bodyFits(RequestHead request, Route route) {
        return route.requestBody() == 0 || request.bodyLength() <= route.requestBody();
    }

    private static Result refused(Refusal refusal) {
        return new Result(refusal, null);
    }
}
