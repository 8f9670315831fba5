package dev.postern.core.exchange;

import org.jspecify.annotations.Nullable;

/**
 * Trace that an exchange belongs to; present only on exchanges whose spans are kept.
 *
 * @param own the span of the exchange
 * @param parent id of the parent span, or 0
 * @param upstream the span of the request to the upstream, which is sent to the upstream
 */
public record Trace(TraceContext own, long parent, TraceContext upstream) {

    private static final ExchangeKey<Trace> KEY = ExchangeKey.of("trace");

    /** Returns the trace of the exchange, or null. */
    public static @Nullable Trace of(Exchange exchange) {
        return exchange.get(KEY);
    }

    /** Assigns this trace to the exchange. */
    public void take(Exchange exchange) {
        exchange.put(KEY, this);
    }
}
