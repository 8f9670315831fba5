package dev.postern.core.pipeline;

import dev.postern.core.exchange.Exchange;
import dev.postern.core.exchange.Stage;
import io.netty.channel.ChannelHandler.Sharable;
import io.netty.channel.ChannelHandlerContext;

/** Holds an exchange back until it may be forwarded, so that a token is only spent for what goes on at once. */
@Sharable
final class TurnHandler extends ExchangeHandler {

    TurnHandler() {
        super(Stage.TURN);
    }

    @Override
    protected void onExchange(ChannelHandlerContext ctx, Exchange exchange) {
        if (exchange.turn().takeNow()) {
            skip(ctx, exchange);
        } else {
            exchange.turn().whenReached(() -> pass(ctx, exchange));
        }
    }
}
