package dev.postern.load.proxies;

import dev.postern.load.measure.Goal;
import dev.postern.load.measure.Interval;
import java.util.Locale;

/**
 * Growth of the CPU time per request from an old build to a new one.
 *
 * @param ratio of CPU time, new / old, paired round by round: the median and its 95 % interval
 * @param max upper bound of the ratio
 */
record Growth(Interval ratio, double max) {
    static final String OLD = "old";
    static final String NEW = "new";

    static Growth of(Rounds rounds, double max) {
        return new Growth(rounds.paired(NEW, OLD, Turn::cpuMicros, (own, other) -> own / other), max);
    }

    /**
     * Returns false only if the whole interval lies above the bound, because a single value may be noise of the
     * machine.
     */
    boolean met() {
        return ratio.low() <= max;
    }

    Goal goal() {
        return Goal.atMost(max);
    }

    /** Formats with three decimals, because a goal may be 1.02. */
    @Override
    public String toString() {
        return String.format(Locale.ROOT, "%.3f [%.3f..%.3f]", ratio.median(), ratio.low(), ratio.high());
    }
}
