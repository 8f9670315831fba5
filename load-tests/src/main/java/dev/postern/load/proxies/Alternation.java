package dev.postern.load.proxies;

import dev.postern.load.measure.Progress;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Takes the rounds of a run: in each, all contenders take the load in turn. */
final class Alternation {
    /** One round in so many may be void, as when a neighbour takes the machine; more say that something is wrong. */
    private static final int MAX_VOID = 4;

    private final String name;
    private final Pace pace;
    private final Rounds rounds = new Rounds();
    private int discarded;

    /** @param name in the lines of progress */
    Alternation(String name, Pace pace) {
        this.name = name;
        this.pace = pace;
    }

    /** How many rounds may have to be taken again. */
    static int mostVoid(int rounds) {
        return Math.max(1, rounds / MAX_VOID);
    }

    /** Takes so many rounds that count, or those that are left of the run. */
    void take(List<? extends Contender> contenders, int count) {
        int last = Math.min(pace.rounds(), rounds.count() + count);
        while (rounds.count() < last) {
            List<Contender> order = new ArrayList<>(contenders);
            // Each contender goes first equally often, so that no one always follows the same neighbour.
            Collections.rotate(order, rounds.count() + discarded);
            try {
                rounds.add(round(order));
            } catch (IllegalStateException e) {
                discarded++;
                Progress.say("round taken again: " + firstLine(e));
                if (discarded > mostVoid(pace.rounds())) {
                    throw e;
                }
            }
        }
    }

    boolean over() {
        return rounds.count() == pace.rounds();
    }

    Rounds rounds() {
        return rounds;
    }

    /** How many rounds had to be taken again. */
    int discarded() {
        return discarded;
    }

    private Map<String, Turn> round(List<Contender> order) {
        Map<String, Turn> turns = new LinkedHashMap<>();
        for (Contender contender : order) {
            Turn turn = contender.turn(pace.turn());
            // What a slow one still does for clients that are gone, or its compiler, must not take the time of the
            // next.
            contender.awaitQuiet();
            turns.put(contender.name(), turn);
            Progress.say("%s, round %d of %d: %-20s %8.2f us CPU, %,8.0f requests/s, %,.0f us each"
                    .formatted(
                            name,
                            rounds.count() + 1,
                            pace.rounds(),
                            contender.name(),
                            turn.cpuMicros(),
                            turn.perSecond(),
                            turn.typical()));
        }
        return turns;
    }

    static String firstLine(IllegalStateException problem) {
        return String.valueOf(problem.getMessage()).lines().findFirst().orElse("no word of why");
    }
}
