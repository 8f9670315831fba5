package dev.postern.core.metrics;

import dev.postern.core.exchange.TraceContext;
import org.jspecify.annotations.Nullable;

/**
 * Trace exemplar: one duration of a bucket whose trace can be looked up (exemplar in OpenMetrics).
 *
 * @param nanos the duration
 * @param span the span with this duration
 * @param atMillis when the duration was recorded, in milliseconds since 1970
 */
public record TraceExemplar(long nanos, TraceContext span, long atMillis) {

    static @Nullable TraceExemplar newer(@Nullable TraceExemplar one, @Nullable TraceExemplar other) {
        if (one == null || other == null) {
            return one == null ? other : one;
        }
        return other.atMillis > one.atMillis ? other : one;
    }
}
