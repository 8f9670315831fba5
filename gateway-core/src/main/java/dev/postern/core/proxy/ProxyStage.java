package dev.postern.core.proxy;

import dev.postern.core.authorize.Authorization;
import dev.postern.core.exchange.Exchange;
import dev.postern.core.exchange.StageName;
import dev.postern.core.http.Refusal;
import dev.postern.core.pipeline.ExchangeStage;
import dev.postern.core.route.ForwardPolicy;

/** Last stage of the pipeline: reverse proxy, forward proxy, or the answer to another proxy that forwards, by the listener. */
public final class ProxyStage extends ExchangeStage {

    private final ReverseProxy reverse;
    private final ForwardProxy forward;
    private final Authorization authorization = new Authorization();

    public ProxyStage(ReverseProxy reverse, ForwardProxy forward) {
        super(StageName.CONNECT);
        this.reverse = reverse;
        this.forward = forward;
    }

    @Override
    protected void onExchange(Exchange exchange) {
        if (exchange.client().listener().authorizes()) {
            authorization.allow(exchange);
            return;
        }
        if (exchange.client().listener().reverse()) {
            reverse.forward(exchange);
            return;
        }
        ForwardPolicy policy = ForwardPolicy.of(exchange);
        if (policy == null) {
            exchange.refuse(Refusal.DESTINATION_FORBIDDEN);
        } else {
            forward.forward(exchange, policy);
        }
    }
}
