package dev.postern.core.pipeline;

import dev.postern.core.exchange.Exchange;
import dev.postern.core.exchange.Stage;

/** Sees every exchange first, refused ones too, and tells log and meters when it has ended. */
final class LogHandler extends ExchangeHandler {

    private final Exchange.EndListener log;

    LogHandler(Exchange.EndListener log) {
        super(Stage.RECEIVE);
        this.log = log;
    }

    @Override
    protected void onExchange(Exchange exchange) {
        exchange.whenEnded(log);
        skip(exchange);
    }
}
