package dev.postern.core.exchange;

import org.jspecify.annotations.Nullable;

/**
 * The trace that an exchange belongs to; only exchanges whose spans are kept have one.
 *
 * @param own the span of the exchange
 * @param parent id of the span that it continues, or 0
 * @param upstream the span of asking the upstream, whose context the upstream is told
 */
public record Trace(TraceContext own, long parent, TraceContext upstream) {

    private static final ExchangeKey<Trace> SLOT = ExchangeKey.of("trace");

    /** That of the exchange, or null. */
    public static @Nullable Trace of(Exchange exchange) {
        return exchange.get(SLOT);
    }

    /** From now on the exchange belongs to it. */
    public void take(Exchange exchange) {
        exchange.put(SLOT, this);
    }
}
