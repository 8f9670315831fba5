package dev.postern.core.pipeline;

import dev.postern.core.exchange.Exchange;
import dev.postern.core.exchange.StageName;

/** Stage that registers the listener for log and meters on every exchange; first, so that refused exchanges are logged too. */
final class LogStage extends ExchangeStage {

    private final Exchange.EndListener log;

    LogStage(Exchange.EndListener log) {
        super(StageName.RECEIVE);
        this.log = log;
    }

    @Override
    protected void onExchange(Exchange exchange) {
        exchange.whenEnded(log);
        skip(exchange);
    }
}
