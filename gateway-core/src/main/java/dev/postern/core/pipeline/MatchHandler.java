package dev.postern.core.pipeline;

import dev.postern.core.exchange.Exchange;
import dev.postern.core.exchange.Stage;
import dev.postern.core.refusal.Refusal;
import dev.postern.core.route.ForwardedFields;
import dev.postern.core.route.Matching;
import dev.postern.core.upstream.Upstream;
import io.netty.channel.ChannelHandler.Sharable;
import io.netty.channel.ChannelHandlerContext;
import org.jspecify.annotations.Nullable;

/** Finds the route, serves the gateway's own paths, and refuses what no route takes or whose upstream is down anyway. */
@Sharable
final class MatchHandler extends ExchangeHandler {

    MatchHandler() {
        super(Stage.MATCH);
    }

    @Override
    protected void onExchange(ChannelHandlerContext ctx, Exchange exchange) {
        @Nullable Refusal fault = exchange.fault();
        if (fault != null) {
            refuse(exchange, fault);
            return;
        }
        exchange.clientAddress(ForwardedFields.client(exchange.client(), exchange.request()));
        Matching.Result result = Matching.of(exchange);
        if (result.refusal() != null) {
            refuse(exchange, result.refusal());
        } else if (result.ownPath() != null) {
            exchange.timeline().mark(Stage.MATCH);
            result.ownPath().serve(exchange);
        } else if (exchange.route().treatment().answers(exchange)) {
            exchange.timeline().mark(Stage.MATCH);
        } else if (down(exchange)) {
            refuse(exchange, Refusal.UPSTREAM_DOWN);
        } else {
            pass(ctx, exchange);
        }
    }

    private static boolean down(Exchange exchange) {
        @Nullable
        Upstream upstream = exchange.policy().upstreams().named(exchange.route().upstream());
        return upstream != null && upstream.down(System.nanoTime());
    }
}
