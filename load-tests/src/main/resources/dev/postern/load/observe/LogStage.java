package dev.postern.core.pipeline;

import dev.postern.core.exchange.Exchange;
import dev.postern.core.exchange.StageName;

/** Lets every exchange proceed and records nothing. */
final class LogStage extends ExchangeStage {
    LogStage(Exchange.EndListener log) {
        super(StageName.RECEIVE);
    }

    @Override
    protected void onExchange(Exchange exchange) {
        skip(exchange);
    }
}
