package dev.postern.core.proxy;

import dev.postern.core.exchange.Exchange;
import dev.postern.core.exchange.Trace;
import dev.postern.core.headers.ForwardedFields;
import dev.postern.core.headers.HopByHop;
import dev.postern.core.headers.Via;
import dev.postern.core.http.FieldName;
import dev.postern.core.http.Refusal;
import dev.postern.core.http.RequestHead;
import dev.postern.core.http.ResponseHead;
import dev.postern.core.route.Route;
import dev.postern.core.route.RoutingSnapshot;
import dev.postern.core.route.transform.Rewrite;
import dev.postern.core.route.transform.RouteTransform;
import dev.postern.core.upstream.Upstream;
import io.netty.channel.Channel;
import io.netty.util.concurrent.ScheduledFuture;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** Reverse proxy that forwards exchanges of reverse listeners to the upstream of their route. Thread-safe. */
public final class ReverseProxy {

    private final Via via;
    private final AtomicInteger tunnels = new AtomicInteger();

    /** @param via the gateway's name in Via */
    public ReverseProxy(Via via) {
        this.via = via;
    }

    /** Returns the number of upgraded connections that are open. */
    public int tunnels() {
        return tunnels.get();
    }

    /** Forwards the exchange to its route's upstream and sends its response, now or later. */
    public void forward(Exchange exchange) {
        Upstream upstream = RoutingSnapshot.of(exchange)
                .upstreams()
                .named(Route.of(exchange).upstream());
        if (upstream == null) {
            exchange.refuse(Refusal.ROUTE_NOT_FOUND);
            return;
        }
        RequestHead request = exchange.request();
        boolean allowed = Route.of(exchange).transform().policy().allow(request.upgrade());
        if (request.majorVersion() > 1 && !request.upgrade().isEmpty() && !allowed) {
            exchange.refuse(Refusal.NOT_IMPLEMENTED); // an extended CONNECT has no meaning without the tunnel
            return;
        }
        if (!prepared(exchange)) {
            exchange.outcome().reason("rewrite");
            exchange.refuse(Refusal.ROUTE_NOT_FOUND);
            return;
        }
        ProxyExchange proxyExchange = new ProxyExchange(exchange, upstream, this);
        Duration timeout = Route.of(exchange).timeout();
        if (!timeout.isZero()) {
            ScheduledFuture<?> end =
                    exchange.loop().schedule(proxyExchange::late, timeout.toNanos(), TimeUnit.NANOSECONDS);
            exchange.whenEnded(ended -> end.cancel(false));
        }
        proxyExchange.start();
    }

    /** Adds the gateway's fields to the final head of an upstream. */
    void responded(ResponseHead head) {
        via.add(head);
    }

    /** Counts a connection to an upstream that became one half of a tunnel. */
    void tunnelled(Channel upstream) {
        tunnels.getAndIncrement();
        upstream.closeFuture().addListener(closed -> tunnels.getAndDecrement());
    }

    /** Counts an exchange that became a tunnel over a stream to an upstream. */
    void tunnelled(Exchange exchange) {
        tunnels.getAndIncrement();
        exchange.whenOver(tunnels::getAndDecrement);
    }

    /** Prepares the head for the upstream; false when the rewrite fails. */
    private boolean prepared(Exchange exchange) {
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
                    request.authority().isEmpty() ? Route.of(exchange).upstream() : request.authority());
        }
        ForwardedFields.reverse(exchange.client(), request, via);
        @Nullable Trace trace = Trace.of(exchange);
        if (trace != null) {
            request.set(FieldName.TRACEPARENT, trace.upstream().traceparent());
        }
        transform.request().apply(request, exchange);
        @Nullable Rewrite rewrite = transform.rewrite();
        if (rewrite == null) {
            return true;
        }
        @Nullable String path = rewrite.apply(request.path());
        if (path != null) {
            request.rewrite(path);
        }
        return path != null;
    }
}
