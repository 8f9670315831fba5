package dev.postern.core.pipeline;

import dev.postern.core.exchange.Exchange;
import dev.postern.core.exchange.StageName;

/** Holds an exchange back until it may be forwarded, so that a token is only spent for what goes on at once. */
final class TurnStage extends ExchangeStage {

    TurnStage() {
        super(StageName.TURN);
    }

    @Override
    protected void onExchange(Exchange exchange) {
        if (exchange.turn().takeNow()) {
            skip(exchange);
        } else {
            exchange.turn().whenReached(() -> proceed(exchange));
        }
    }
}
