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

/**
 * Whether what a stage found wrong is held against the exchange: always, or never but noted for log and meters (report-only). Thread-safe.
 */
public final class Enforcement {

    /** Refuses for real. */
    public static final Enforcement STRICT = new Enforcement(null, exchange -> {});

    private final @Nullable MeterRegistry registry;
    private final Consumer<Exchange> offer;
    private final Map<Found, Counter> counters = new ConcurrentHashMap<>();

    private record Found(Refusal refusal, String reason) {}

    private Enforcement(@Nullable MeterRegistry registry, Consumer<Exchange> offer) {
        this.registry = registry;
        this.offer = offer;
    }

    /** @param offer puts the challenges into whatever response the exchange gets: without any, no client could ever bring a token */
    public static Enforcement reportOnly(MeterRegistry registry, Consumer<Exchange> offer) {
        return new Enforcement(registry, offer);
    }

    boolean strict() {
        return registry == null;
    }

    /** Whether the exchange goes on all the same; then it was noted what would have become of it. */
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
