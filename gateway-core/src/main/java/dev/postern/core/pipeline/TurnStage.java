package dev.postern.core.pipeline;

import dev.postern.core.exchange.Exchange;
import dev.postern.core.exchange.StageName;

/** Stage that suspends an exchange until its turn, so that a token is only spent for an exchange that is forwarded at once. */
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
