package dev.postern.core.pipeline;

import dev.postern.core.exchange.Exchange;
import dev.postern.core.exchange.Question;
import dev.postern.core.exchange.StageName;
import dev.postern.core.headers.ForwardedFields;
import dev.postern.core.headers.Via;
import dev.postern.core.http.HttpParseException;
import dev.postern.core.http.Refusal;
import dev.postern.core.overload.LoadShedState;
import dev.postern.core.route.Route;
import dev.postern.core.route.RouteMatch;
import dev.postern.core.route.RoutingSnapshot;
import dev.postern.core.upstream.Upstream;
import org.jspecify.annotations.Nullable;

/**
 * Stage that matches the route, serves internal endpoints, and refuses exchanges that came back to the gateway, that have no route, or whose
 * upstream is down.
 */
final class MatchStage extends ExchangeStage {

    private final LoadShedState state;
    private final Via via;
    private final TunnelLimiter tunnels = new TunnelLimiter();

    /** @param via the gateway's name in Via */
    MatchStage(LoadShedState state, Via via) {
        super(StageName.MATCH);
        this.state = state;
        this.via = via;
    }

    @Override
    protected void onExchange(Exchange exchange) {
        @Nullable Refusal fault = exchange.fault();
        if (fault != null) {
            refuse(exchange, fault);
            return;
        }
        if (state.on()) {
            // Load is shed before any expensive step: no route, no token, no room.
            exchange.timeline().mark(StageName.MATCH);
            state.refuse(exchange);
            return;
        }
        boolean asked = Question.isAnsweredBy(exchange);
        if (!asked && via.names(exchange.request())) {
            refuse(exchange, Refusal.LOOP);
            return;
        }
        ForwardedFields.select(exchange.client(), exchange.request());
        try {
            ForwardedFields.Client client = ForwardedFields.client(exchange.client(), exchange.request());
            exchange.clientAddress(client.address());
            exchange.clientScheme(client.scheme());
        } catch (HttpParseException ambiguity) {
            exchange.outcome().reason(String.valueOf(ambiguity.getMessage()));
            refuse(exchange, ambiguity.refusal());
            return;
        }
        if (exchange.client().listener().denies(exchange.clientAddress())) {
            refuse(exchange, Refusal.ADDRESS_DENIED);
            return;
        }
        RouteMatch.Result result = RouteMatch.of(exchange);
        if (result.refusal() != null) {
            refuse(exchange, result.refusal());
        } else if (result.endpoint() != null) {
            exchange.timeline().mark(StageName.MATCH);
            result.endpoint().serve(exchange);
        } else if (Route.of(exchange).transform().responses(exchange)) {
            exchange.timeline().mark(StageName.MATCH);
        } else if (exchange.client().listener().reverse() && !Route.of(exchange).passes(asked)) {
            // A redirect without an upstream, at its target.
            exchange.outcome().reason("redirect");
            refuse(exchange, Refusal.ROUTE_NOT_FOUND);
        } else if (asked) {
            // Another proxy forwards the request: to its own upstreams, through its own tunnels.
            exchange.timeline().mark(StageName.MATCH);
            skip(exchange);
        } else if (down(exchange, exchange.timeline().mark(StageName.MATCH))) {
            exchange.refuse(Refusal.UPSTREAM_DOWN);
        } else if (!tunnels.admits(exchange)) {
            exchange.refuse(Refusal.TUNNELS_FULL);
        } else {
            skip(exchange);
        }
    }

    private static boolean down(Exchange exchange, long now) {
        @Nullable
        Upstream upstream = RoutingSnapshot.of(exchange)
                .upstreams()
                .named(Route.of(exchange).upstream(exchange));
        return upstream != null && upstream.down(now);
    }
}
