package dev.postern.load.oldnew;

import dev.postern.load.measure.Interval;
import dev.postern.load.measure.Known;
import dev.postern.load.proxies.Rounds;
import dev.postern.load.proxies.Turn;
import java.util.List;
import java.util.Map;

/**
 * Result of a scenario.
 *
 * @param oldMicros median CPU time of a request of the old build
 * @param newMicros the same of the new build
 * @param ratio of CPU time, new / old, paired round by round: the median and its 95 % interval
 * @param rounds number of rounds
 */
record Result(double oldMicros, double newMicros, Interval ratio, int rounds) {
    static final String OLD = "old";
    static final String NEW = "new";

    /** Bound of the ratio: an increase that rounds on an undisturbed machine can tell from none. */
    static final double BOUND = 1.02;

    /** Fewest rounds with a verdict; the interval of fewer rounds is too narrow for its name. */
    static final int MIN_ROUNDS = 20;

    /** Verdict on a result. */
    enum Verdict {
        MET,
        MISSED,
        /** Too few rounds. */
        NONE
    }

    /** @param starts the rounds of each start of both builds */
    static Result of(List<Rounds> starts) {
        List<Map<String, Turn>> all =
                starts.stream().flatMap(rounds -> rounds.all().stream()).toList();
        Interval ratio = Interval.ofStarts(starts.stream()
                .map(rounds -> rounds.all().stream()
                        .mapToDouble(turns -> micros(turns, NEW) / micros(turns, OLD))
                        .toArray())
                .toList());
        return new Result(median(all, OLD), median(all, NEW), ratio, all.size());
    }

    private static double median(List<Map<String, Turn>> rounds, String build) {
        return Interval.of(rounds, turns -> micros(turns, build)).median();
    }

    private static double micros(Map<String, Turn> turns, String build) {
        return Known.in(turns, "build", build).cpuMicros();
    }

    /**
     * Returns MISSED only if the whole interval lies above the bound, because a single value may be noise of the
     * machine.
     */
    Verdict verdict() {
        if (rounds < MIN_ROUNDS) {
            return Verdict.NONE;
        }
        return ratio.low() <= BOUND ? Verdict.MET : Verdict.MISSED;
    }
}
