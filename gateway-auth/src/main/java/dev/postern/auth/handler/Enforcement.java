package dev.postern.auth.handler;

import dev.postern.core.exchange.Exchange;
import dev.postern.core.http.Refusal;
import dev.postern.core.metrics.Meters;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Enforcement of refusals: strict, or report-only, where a refusal is only logged and counted. Thread-safe. */
public final class Enforcement {

    /** Enforcement that refuses exchanges. */
    public static final Enforcement STRICT = new Enforcement(null, exchange -> {});

    private final @Nullable MeterRegistry registry;
    private final Consumer<Exchange> offer;
    private final Map<Found, Counter> counters = new ConcurrentHashMap<>();

    private record Found(Refusal refusal, String reason) {}

    private Enforcement(@Nullable MeterRegistry registry, Consumer<Exchange> offer) {
        this.registry = registry;
        this.offer = offer;
    }

    /** @param offer adds the challenges to any response of the exchange; clients cannot obtain a token without a challenge */
    public static Enforcement reportOnly(MeterRegistry registry, Consumer<Exchange> offer) {
        return new Enforcement(registry, offer);
    }

    boolean strict() {
        return registry == null;
    }

    /** Returns whether the exchange proceeds despite the refusal, which is then logged and counted. */
    boolean overlooks(Exchange exchange, Refusal refusal, String reason) {
        MeterRegistry meters = registry;
        if (meters == null) {
            return false;
        }
        exchange.outcome().reported(refusal, reason);
        counters.computeIfAbsent(new Found(refusal, reason), found -> counter(meters, found))
                .increment();
        if (refusal == Refusal.TOKEN_REQUIRED) {
            offer.accept(exchange);
        }
        return true;
    }

    private static Counter counter(MeterRegistry registry, Found found) {
        return Meters.TOKEN_REPORTED.counter(registry, found.refusal().code(), found.reason());
    }
}
