package dev.postern.core.proxy;

import dev.postern.core.exchange.Exchange;
import dev.postern.core.headers.Via;
import dev.postern.core.http.Refusal;
import dev.postern.core.http.RequestHead;
import dev.postern.core.http.ResponseHead;
import dev.postern.core.route.Route;
import dev.postern.core.route.RoutingSnapshot;
import dev.postern.core.upstream.Upstream;
import io.netty.channel.Channel;
import java.util.concurrent.atomic.AtomicInteger;

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
                .named(Route.of(exchange).upstream(exchange));
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
        if (!RequestPreparation.prepare(exchange, via)) {
            exchange.outcome().reason("rewrite");
            exchange.refuse(Refusal.ROUTE_NOT_FOUND);
            return;
        }
        Route.of(exchange).keepUpstream(exchange);
        new ProxyExchange(exchange, upstream, upstream.pool(exchange.loop()), this).start();
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
}
