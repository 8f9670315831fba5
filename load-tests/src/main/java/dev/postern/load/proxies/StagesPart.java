package dev.postern.load.proxies;

import dev.postern.load.measure.Goal;
import dev.postern.load.measure.Interval;
import dev.postern.load.measure.Progress;
import dev.postern.load.server.RunFolder;
import dev.postern.load.stages.StageTurns;
import dev.postern.load.stages.Stages;
import dev.postern.load.stages.Step;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;

/**
 * Stages part: the cost of verification, ledger and waiting room in the gateway, beside the cost of each of them alone.
 */
final class StagesPart implements Part {
    private static final Goal GOAL = Goal.atMost(1.25);
    /** One connection, so that nothing is shared; and as many as share the cost of one iteration of the event loop. */
    private static final List<Integer> CONNECTIONS = List.of(1, 64);
    /**
     * For each second of a turn; each request needs a token, and minting the tokens takes most of the time of the run.
     */
    private static final int REQUESTS_PER_SECOND = 400;
    /** Rounds before the first that counts, until the code is compiled. */
    private static final int UNCOUNTED = 4;
    /** Maximum length of a turn of a stage alone. */
    private static final Duration LONGEST = Duration.ofSeconds(2);

    @Override
    public String name() {
        return "stages";
    }

    @Override
    public String title() {
        return "token, ledger, room";
    }

    @Override
    public void measure(Pace pace, Report report) {
        int requests = (int) Math.max(1, pace.turn().toSeconds()) * REQUESTS_PER_SECOND;
        int all = requests * (UNCOUNTED + pace.rounds()) * CONNECTIONS.size();
        Duration alone = pace.turn().compareTo(LONGEST) < 0 ? pace.turn() : LONGEST;
        Map<Integer, List<Stages>> rounds = new TreeMap<>();
        RunFolder folder = RunFolder.create("proxies-" + name());
        try (StageTurns turns = new StageTurns(folder, all, alone, pace.warmUp())) {
            List<Step> order = new ArrayList<>(Arrays.asList(Step.values()));
            for (int number = 1 - UNCOUNTED; number <= pace.rounds(); number++) {
                for (int connections : CONNECTIONS) {
                    Stages round = round(turns, order, connections, requests);
                    if (number > 0) {
                        rounds.computeIfAbsent(connections, any -> new ArrayList<>())
                                .add(round);
                    }
                    Progress.say(
                            "stages, round %d of %d: ".formatted(number, pace.rounds()) + line(connections, round));
                }
                Collections.rotate(order, 1);
            }
        }
        rounds.forEach((connections, seen) -> addTo(report, connections, seen));
    }

    private static Stages round(StageTurns turns, List<Step> order, int connections, int requests) {
        Map<Step, Double> micros = new EnumMap<>(Step.class);
        for (Step step : order) {
            micros.put(step, turns.take(step, connections, requests));
        }
        return new Stages(micros, turns.together(connections));
    }

    private static String line(int connections, Stages round) {
        return "%s: %.1f us without; verification %.1f, ledger %.1f, room %.1f us; by themselves, %d at once, %.1f, %.1f, %.1f us; %.2f"
                .formatted(
                        load(connections),
                        round.of(Step.OPEN),
                        round.verification(),
                        round.ledger(),
                        round.room(),
                        round.together(),
                        round.of(Step.VERIFY),
                        round.of(Step.SPEND),
                        round.of(Step.DECIDE),
                        round.ratio());
    }

    private void addTo(Report report, int connections, List<Stages> rounds) {
        String load = load(connections) + ", ";
        String cost = load + "CPU us, ";
        report.note(cost + "request without", interval(rounds, round -> round.of(Step.OPEN)));
        report.note(cost + "verification", interval(rounds, Stages::verification));
        report.note(cost + "ledger", interval(rounds, Stages::ledger));
        report.note(cost + "room", interval(rounds, Stages::room));
        report.note(cost + "all three", interval(rounds, Stages::sum));
        report.note(load + "spends and decisions at once", interval(rounds, Stages::together));
        report.note(cost + "bare verification", interval(rounds, round -> round.of(Step.VERIFY)));
        report.note(cost + "bare spend", interval(rounds, round -> round.of(Step.SPEND)));
        report.note(cost + "bare decision", interval(rounds, round -> round.of(Step.DECIDE)));
        report.ratio(
                load + "all three / bare ones (paired)",
                "stages / bare, " + load(connections),
                interval(rounds, Stages::ratio),
                GOAL);
    }

    private static String load(int connections) {
        return connections == 1 ? "one connection" : connections + " connections";
    }

    private static Interval interval(List<Stages> rounds, ToDoubleFunction<Stages> figure) {
        return Interval.of(rounds.stream().mapToDouble(figure).toArray());
    }
}
