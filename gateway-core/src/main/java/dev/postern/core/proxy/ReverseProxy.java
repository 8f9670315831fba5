package dev.postern.core.proxy;

import dev.postern.core.exchange.Exchange;
import dev.postern.core.exchange.FieldName;
import dev.postern.core.refusal.Refusal;
import dev.postern.core.route.ForwardedFields;
import dev.postern.core.route.HopByHop;
import dev.postern.core.upstream.Upstream;
import dev.postern.core.upstream.Upstreams;
import io.netty.util.concurrent.ScheduledFuture;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** Passes exchanges of reverse listeners on to the upstream of their route. Thread-safe. */
public final class ReverseProxy {

    private final Upstreams upstreams;
    private final String pseudonym;

    /** @param pseudonym how the gateway calls itself in Via */
    public ReverseProxy(Upstreams upstreams, String pseudonym) {
        this.upstreams = upstreams;
        this.pseudonym = pseudonym;
    }

    /** Answers the exchange, now or later, from its route's upstream. */
    public void forward(Exchange exchange) {
        Upstream upstream = upstreams.named(exchange.route().upstream());
        if (upstream == null) {
            exchange.refuse(Refusal.ROUTE_NOT_FOUND);
            return;
        }
        HopByHop.strip(exchange.request());
        if (!exchange.request().has(FieldName.HOST)) {
            // HTTP/1.0 may come without one, HTTP/1.1 may not go without (RFC 9112 section 3.2).
            exchange.request().add(FieldName.HOST, upstream.name());
        }
        ForwardedFields.reverse(exchange.client(), exchange.request(), pseudonym);
        Forwarding forwarding = new Forwarding(exchange, upstream);
        Duration most = exchange.route().timeout();
        if (!most.isZero()) {
            ScheduledFuture<?> end = exchange.loop().schedule(forwarding::late, most.toNanos(), TimeUnit.NANOSECONDS);
            exchange.whenEnded(ended -> end.cancel(false));
        }
        forwarding.start();
    }
}
