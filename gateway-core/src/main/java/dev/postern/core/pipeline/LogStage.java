package dev.postern.core.pipeline;

import dev.postern.core.exchange.Exchange;
import dev.postern.core.exchange.StageName;

/** Sees every exchange first, refused ones too, and tells log and meters when it has ended. */
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
