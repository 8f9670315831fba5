package dev.postern.core.http2;

import dev.postern.core.exchange.Exchange;
import dev.postern.core.exchange.StageName;
import dev.postern.core.pipeline.ExchangeStage;
import java.util.concurrent.atomic.AtomicInteger;

/** Counts exchanges that are over: until then a tunnel keeps its place in a room and its permit. */
final class OverListener extends ExchangeStage {

    private final AtomicInteger over;

    OverListener(AtomicInteger over) {
        super(StageName.ADMIT);
        this.over = over;
    }

    @Override
    protected void onExchange(Exchange exchange) {
        exchange.whenOver(over::incrementAndGet);
        proceed(exchange);
    }
}
