package dev.postern.load.proxies;

import dev.postern.load.measure.Progress;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Alternation of contenders: in each round of a run, all contenders take the load in turn. */
public final class Alternation {
    /** One round in so many may be void, as when another process takes the machine; more void rounds end the run. */
    private static final int MAX_VOID = 4;

    private final String name;
    private final Pace pace;
    private final Rounds rounds = new Rounds();
    private int discarded;

    /** @param name in the progress lines */
    public Alternation(String name, Pace pace) {
        this.name = name;
        this.pace = pace;
    }

    /** Returns the maximum number of void rounds of a run. */
    public static int maxVoid(int rounds) {
        return Math.max(1, rounds / MAX_VOID);
    }

    /** Takes all rounds of the run. */
    public void take(List<? extends Contender> contenders) {
        while (rounds.count() < pace.rounds()) {
            List<Contender> order = new ArrayList<>(contenders);
            // Each contender goes first equally often, so that no contender always follows the same other contender.
            Collections.rotate(order, rounds.count() + discarded);
            try {
                rounds.add(round(order));
            } catch (IllegalStateException e) {
                discarded++;
                Progress.say("round taken again: " + Progress.firstLine(e));
                if (discarded > maxVoid(pace.rounds())) {
                    throw e;
                }
            }
        }
    }

    public Rounds rounds() {
        return rounds;
    }

    /** Returns the number of rounds that were void. */
    public int discarded() {
        return discarded;
    }

    private Map<String, Turn> round(List<Contender> order) {
        Map<String, Turn> turns = new LinkedHashMap<>();
        for (Contender contender : order) {
            Turn turn = contender.turn(pace.turn());
            // A slow server still closes connections and compiles after its turn; the next turn must not pay for that.
            contender.awaitQuiet();
            turns.put(contender.name(), turn);
            Progress.say(
                    "%s, round %d of %d: %-20s %8.2f us CPU, %,8.0f requests/s, %,.0f us each",
                    name,
                    rounds.count() + 1,
                    pace.rounds(),
                    contender.name(),
                    turn.cpuMicros(),
                    turn.perSecond(),
                    turn.typical());
        }
        return turns;
    }
}
