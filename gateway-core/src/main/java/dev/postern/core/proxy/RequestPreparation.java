package dev.postern.core.proxy;

import dev.postern.core.exchange.Exchange;
import dev.postern.core.exchange.RequestId;
import dev.postern.core.exchange.Trace;
import dev.postern.core.headers.ForwardedFields;
import dev.postern.core.headers.HopByHop;
import dev.postern.core.headers.Via;
import dev.postern.core.http.Field;
import dev.postern.core.http.FieldName;
import dev.postern.core.http.RequestHead;
import dev.postern.core.http.Trailers;
import dev.postern.core.route.Route;
import dev.postern.core.route.transform.Rewrite;
import dev.postern.core.route.transform.RouteTransform;
import org.jspecify.annotations.Nullable;

/**
 * Preparation of a request head for its upstream: hop-by-hop fields give way to those of the gateway's own connection, the client and the
 * trace are reported, and the changes of the route apply. A plain rule.
 */
final class RequestPreparation {

    private RequestPreparation() {}

    /** Prepares the head of an exchange of a reverse listener; false when the rewrite of its path fails. */
    static boolean prepare(Exchange exchange, Via via) {
        RequestHead request = exchange.request();
        RouteTransform transform = Route.of(exchange).transform();
        HopByHop.strip(request);
        if (transform.policy().allow(request.upgrade())) {
            request.add(FieldName.CONNECTION, "upgrade");
            request.add(FieldName.UPGRADE, request.upgrade());
            WebSocketKey.ask(request);
        }
        if (request.takesTrailers()) {
            request.add(FieldName.CONNECTION, "te");
            request.add(FieldName.TE, "trailers");
        }
        if (!request.has(FieldName.HOST)) {
            // Host is optional in HTTP/1.0 and required in HTTP/1.1 (RFC 9112 section 3.2).
            request.add(
                    FieldName.HOST,
                    request.authority().isEmpty() ? Route.of(exchange).upstream(exchange) : request.authority());
        }
        ForwardedFields.reverse(exchange.client(), request, via);
        identify(exchange);
        @Nullable Trace trace = Trace.of(exchange);
        if (trace != null) {
            request.set(FieldName.TRACEPARENT, trace.upstream().traceparent());
        }
        transform.request().apply(request, exchange);
        @Nullable Rewrite rewrite = transform.rewrite();
        return rewrite == null || rewritten(rewrite, exchange);
    }

    /** Removes from trailers what only a head may state: claims about the client, and an id. An upstream may read both as one. */
    static void trailers(Exchange exchange, Trailers trailers) {
        ForwardedFields.behindBody(trailers);
        @Nullable RequestId rule = exchange.client().listener().requestId();
        if (rule != null) {
            rule.remove(trailers);
        }
    }

    private static void identify(Exchange exchange) {
        @Nullable RequestId rule = exchange.client().listener().requestId();
        @Nullable Field id = exchange.requestId();
        if (rule != null && id != null) {
            rule.replace(exchange.request(), id);
        }
    }

    private static boolean rewritten(Rewrite rewrite, Exchange exchange) {
        @Nullable String path = rewrite.apply(exchange);
        if (path != null) {
            exchange.request().rewrite(path);
        }
        return path != null;
    }
}
