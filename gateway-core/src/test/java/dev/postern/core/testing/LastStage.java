package dev.postern.core.testing;

import dev.postern.core.exchange.Exchange;
import dev.postern.core.exchange.Stage;
import dev.postern.core.pipeline.ExchangeHandler;
import java.util.function.Consumer;

/** Stands where exchanges are forwarded, and tells a test of those that came so far, on their loop. */
public final class LastStage extends ExchangeHandler {

    private final Consumer<Exchange> told;

    public LastStage(Consumer<Exchange> told) {
        super(Stage.CONNECT);
        this.told = told;
    }

    @Override
    protected void onExchange(Exchange exchange) {
        told.accept(exchange);
    }
}
