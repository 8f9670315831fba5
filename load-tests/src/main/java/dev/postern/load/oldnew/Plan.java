package dev.postern.load.oldnew;

import dev.postern.load.proxies.Pace;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Plan of a scenario: its rounds, and how often both gateways are started anew.
 *
 * @param rounds that count, over all starts
 * @param roundsPerStart rounds of one start of both gateways; the last start may have fewer
 * @param turn length of the turn of one gateway in a round
 * @param warmUp load on each gateway after each start
 */
record Plan(int rounds, int roundsPerStart, Duration turn, Duration warmUp) {
    /** @throws IllegalArgumentException if a value is below its minimum */
    Plan {
        atLeastOne("rounds", rounds);
        atLeastOne("rounds-per-start", roundsPerStart);
        atLeastOne("seconds", turn.toSeconds());
        atLeastOne("warm-up", warmUp.toSeconds());
    }

    private static void atLeastOne(String name, long value) {
        if (value < 1) {
            throw new IllegalArgumentException("--" + name + ": " + value + " (expected: 1 or more)");
        }
    }

    /** Returns the pace of each start. */
    List<Pace> starts() {
        List<Pace> starts = new ArrayList<>();
        for (int left = rounds; left > 0; left -= roundsPerStart) {
            starts.add(new Pace(Math.min(left, roundsPerStart), turn, warmUp));
        }
        return starts;
    }
}
