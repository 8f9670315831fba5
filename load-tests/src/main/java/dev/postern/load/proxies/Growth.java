package dev.postern.load.proxies;

import dev.postern.load.measure.Goal;
import dev.postern.load.measure.Interval;
import java.util.Locale;

/**
 * What a request costs in a new build beside an old one.
 *
 * @param ratio of CPU time, new / old, paired round by round: the median and its 95 % interval
 * @param most that the ratio may be
 */
record Growth(Interval ratio, double most) {
    static final String OLD = "old";
    static final String NEW = "new";

    static Growth of(Rounds rounds, double most) {
        return new Growth(rounds.paired(NEW, OLD, Turn::cpuMicros, (own, other) -> own / other), most);
    }

    /** Missed only where the whole interval lies above: what the noise of a machine may be is no verdict. */
    boolean met() {
        return ratio.low() <= most;
    }

    Goal goal() {
        return Goal.atMost(most);
    }

    /** With the digits that a goal of 1.02 asks for. */
    @Override
    public String toString() {
        return String.format(Locale.ROOT, "%.3f [%.3f..%.3f]", ratio.median(), ratio.low(), ratio.high());
    }
}
