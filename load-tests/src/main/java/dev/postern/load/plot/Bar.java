package dev.postern.load.plot;

import dev.postern.load.measure.Goal;
import dev.postern.load.measure.Interval;
import org.jspecify.annotations.Nullable;

/**
 * One ratio to draw.
 *
 * @param group bars of one group follow each other below its name
 * @param goal drawn as a mark on the bar; null where nothing is asked
 */
public record Bar(
        String group,
        String label,
        Interval ratio,
        @Nullable Goal goal) {
    /** What stands behind the bar, and its colour: {@code MET}, {@code MISSED} or nothing. */
    String verdict() {
        return goal == null ? "" : goal.met(ratio.median()) ? "MET" : "MISSED";
    }
}
