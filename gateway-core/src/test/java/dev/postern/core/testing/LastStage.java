package dev.postern.core.testing;

import dev.postern.core.exchange.Exchange;
import dev.postern.core.exchange.StageName;
import dev.postern.core.pipeline.ExchangeStage;
import java.util.function.Consumer;

/** Last stage of a chain, which passes each exchange to a listener on its event loop. */
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
