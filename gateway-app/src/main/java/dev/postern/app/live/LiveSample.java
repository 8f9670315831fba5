package dev.postern.app.live;

import dev.postern.core.exchange.StageName;
import dev.postern.core.metrics.Meters;
import dev.postern.core.metrics.StripedHistogram;
import java.util.Map;

/**
 * What was counted up to a moment, and how things stand then.
 *
 * @param nanos that moment, on a clock that never goes back
 * @param values of each series that is shown
 * @param stages times of exchanges; empty where nobody counts them
 * @param state documents that are told as they are
 */
record LiveSample(
        long nanos,
        Map<Series, Value> values,
        Map<StageName, StripedHistogram.Times> stages,
        Map<String, Object> state) {

    /** What a value is of: a meter, and those of its tags by which the page tells series apart. */
    record Series(Meters meter, Map<String, String> tags) {}

    /** @param grows whether it was counted since the start, so that the difference of two says something */
    record Value(double amount, boolean grows) {

        Value plus(Value other) {
            return new Value(amount + other.amount, grows);
        }
    }
}
