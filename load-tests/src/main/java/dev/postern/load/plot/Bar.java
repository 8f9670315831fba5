package dev.postern.load.plot;

import dev.postern.load.measure.Goal;
import dev.postern.load.measure.Interval;
import org.jspecify.annotations.Nullable;

/**
 * Bar of one ratio.
 *
 * @param group bars of one group follow each other below its name
 * @param goal drawn as a mark on the bar; null if there is no goal
 */
public record Bar(
        String group,
        String label,
        Interval ratio,
        @Nullable Goal goal) {
    /** Returns the text behind the bar, which also selects its colour: {@code MET}, {@code MISSED} or nothing. */
    String verdict() {
        return goal == null ? "" : goal.met(ratio.median()) ? "MET" : "MISSED";
    }
}
