package dev.postern.core.http2;

import dev.postern.core.exchange.Exchange;
import dev.postern.core.exchange.Stage;
import dev.postern.core.pipeline.ExchangeHandler;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;

/** Lets exchanges pass once a test says so. */
final class Gate extends ExchangeHandler {

    private final CountDownLatch open;

    Gate(CountDownLatch open) {
        super(Stage.ADMIT);
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
