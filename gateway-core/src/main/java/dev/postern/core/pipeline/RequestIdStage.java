package dev.postern.core.pipeline;

import dev.postern.core.exchange.ClientConnection;
import dev.postern.core.exchange.Exchange;
import dev.postern.core.exchange.RequestId;
import dev.postern.core.exchange.StageName;
import java.time.InstantSource;
import org.jspecify.annotations.Nullable;

/** Stage that gives each exchange its id, where its listener has ids. */
final class RequestIdStage extends ExchangeStage {

    private final InstantSource clock;

    RequestIdStage(InstantSource clock) {
        super(StageName.RECEIVE);
        this.clock = clock;
    }

    @Override
    protected void onExchange(Exchange exchange) {
        ClientConnection client = exchange.client();
        @Nullable RequestId rule = client.listener().requestId();
        if (rule != null) {
            exchange.requestId(rule.of(exchange.request(), client.trusted(), clock.millis()));
        }
        skip(exchange);
    }
}
