package dev.postern.core.metrics;

import dev.postern.core.exchange.TraceContext;
import org.jspecify.annotations.Nullable;

/**
 * One time out of a bucket that somebody can look up in a trace: an exemplar of OpenMetrics.
 *
 * @param nanos the time
 * @param span whose time it was
 * @param atMillis when it was recorded, since 1970
 */
public record TraceExemplar(long nanos, TraceContext span, long atMillis) {

    static @Nullable TraceExemplar newer(@Nullable TraceExemplar one, @Nullable TraceExemplar other) {
        if (one == null || other == null) {
            return one == null ? other : one;
        }
        return other.atMillis > one.atMillis ? other : one;
    }
}
