package dev.postern.core.testing;

import dev.postern.core.exchange.Exchange;
import dev.postern.core.exchange.StageName;
import dev.postern.core.pipeline.ExchangeStage;
import java.util.function.Consumer;

/** Stands where exchanges are forwarded, and tells a test of those that came so far, on their loop. */
public final class LastStage extends ExchangeStage {

    private final Consumer<Exchange> listener;

    public LastStage(Consumer<Exchange> listener) {
        super(StageName.CONNECT);
        this.listener = listener;
    }

    @Override
    protected void onExchange(Exchange exchange) {
        listener.accept(exchange);
    }
}
