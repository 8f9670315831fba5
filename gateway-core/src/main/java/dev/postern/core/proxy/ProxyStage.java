package dev.postern.core.proxy;

import dev.postern.core.exchange.Exchange;
import dev.postern.core.exchange.StageName;
import dev.postern.core.http.Refusal;
import dev.postern.core.pipeline.ExchangeStage;
import dev.postern.core.route.ForwardPolicy;

/** Last stage of the pipeline: selects the reverse or the forward proxy by the listener. */
public final class ProxyStage extends ExchangeStage {

    private final ReverseProxy reverse;
    private final ForwardProxy forward;

    public ProxyStage(ReverseProxy reverse, ForwardProxy forward) {
        super(StageName.CONNECT);
        this.reverse = reverse;
        this.forward = forward;
    }

    @Override
    protected void onExchange(Exchange exchange) {
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
