package dev.postern.app.live;

import dev.postern.core.exchange.StageName;
import dev.postern.core.metrics.Meters;
import dev.postern.core.metrics.StripedHistogram;
import java.util.Map;

/**
 * Sample of all shown values at one moment.
 *
 * @param nanos monotonic time of the sample
 * @param values of each shown series
 * @param stages durations of exchanges; empty if they are not measured
 * @param state documents that are sent unchanged
 */
record LiveSample(
        long nanos,
        Map<Series, Value> values,
        Map<StageName, StripedHistogram.Times> stages,
        Map<String, Object> state) {

    /** Series of a value: a meter, and those of its tags that the page distinguishes. */
    record Series(Meters meter, Map<String, String> tags) {}

    /** @param grows whether the amount is a count since the start, so that the difference of two samples is a rate */
    record Value(double amount, boolean grows) {

        Value plus(Value other) {
            return new Value(amount + other.amount, grows);
        }
    }
}
