package dev.postern.core.http2;

import dev.postern.core.exchange.Exchange;
import dev.postern.core.exchange.StageName;
import dev.postern.core.pipeline.ExchangeStage;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;

/** Holds exchanges until the test lets them pass. */
final class GateStage extends ExchangeStage {

    private final CountDownLatch open;

    GateStage(CountDownLatch open) {
        super(StageName.ADMIT);
        this.open = open;
    }

    @Override
    protected void onExchange(Exchange exchange) {
        CompletableFuture.runAsync(() -> {
                    try {
                        open.await();
                    } catch (InterruptedException e) {
                        Thread.currentThread().interrupt();
                    }
                })
                .thenRunAsync(() -> proceed(exchange), exchange.loop());
    }
}
