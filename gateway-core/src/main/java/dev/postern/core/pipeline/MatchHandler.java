package dev.postern.core.pipeline;

import dev.postern.core.exchange.Exchange;
import dev.postern.core.exchange.Stage;
import dev.postern.core.headers.ForwardedFields;
import dev.postern.core.http.Fault;
import dev.postern.core.http.Refusal;
import dev.postern.core.overload.Shedding;
import dev.postern.core.route.Matching;
import dev.postern.core.route.Policy;
import dev.postern.core.route.Route;
import dev.postern.core.upstream.Upstream;
import org.jspecify.annotations.Nullable;

/** Finds the route, serves the gateway's own paths, and refuses what no route takes or whose upstream is down anyway. */
final class MatchHandler extends ExchangeHandler {

    private final Shedding shedding;
    private final ClientTunnels tunnels = new ClientTunnels();

    MatchHandler(Shedding shedding) {
        super(Stage.MATCH);
        this.shedding = shedding;
    }

    @Override
    protected void onExchange(Exchange exchange) {
        @Nullable Refusal fault = exchange.fault();
        if (fault != null) {
            refuse(exchange, fault);
            return;
        }
        if (shedding.on()) {
            // Before anything that costs: no route, no token, no room.
            exchange.timeline().mark(Stage.MATCH);
            shedding.refuse(exchange);
            return;
        }
        try {
            exchange.clientAddress(ForwardedFields.client(exchange.client(), exchange.request()));
        } catch (Fault twoAccounts) {
            exchange.outcome().reason(String.valueOf(twoAccounts.getMessage()));
            refuse(exchange, twoAccounts.refusal());
            return;
        }
        Matching.Result result = Matching.of(exchange);
        if (result.refusal() != null) {
            refuse(exchange, result.refusal());
        } else if (result.ownPath() != null) {
            exchange.timeline().mark(Stage.MATCH);
            result.ownPath().serve(exchange);
        } else if (Route.of(exchange).treatment().answers(exchange)) {
            exchange.timeline().mark(Stage.MATCH);
        } else if (down(exchange, exchange.timeline().mark(Stage.MATCH))) {
            exchange.refuse(Refusal.UPSTREAM_DOWN);
        } else if (!tunnels.admits(exchange)) {
            exchange.refuse(Refusal.TUNNELS_FULL);
        } else {
            skip(exchange);
        }
    }

    private static boolean down(Exchange exchange, long now) {
        @Nullable
        Upstream upstream =
                Policy.of(exchange).upstreams().named(Route.of(exchange).upstream());
        return upstream != null && upstream.down(now);
    }
}
