package dev.postern.load.proxies;

import dev.postern.load.measure.Goal;
import dev.postern.load.measure.Interval;
import dev.postern.load.measure.Progress;
import dev.postern.load.peer.Peer;
import dev.postern.load.server.Cores;
import dev.postern.load.server.Nginx;
import dev.postern.load.server.RunFolder;
import dev.postern.load.worker.Latencies;
import dev.postern.load.worker.SpreadWorker;
import dev.postern.load.worker.Worker;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/** Spread part: latency of requests at one rate over few connections and over many, in an open model. */
record SpreadPart(int rate) implements Part {
    private static final Goal GOAL = Goal.atMost(1.2);
    private static final int FEW = 10;
    private static final int MANY = 1_000;
    private static final int BODY = 128;

    private record Round(Latencies few, Latencies many) {
        Latencies of(int connections) {
            return connections == FEW ? few : many;
        }
    }

    @Override
    public String name() {
        return "spread";
    }

    @Override
    public String title() {
        return "%,d requests/s".formatted(rate);
    }

    @Override
    public void measure(Pace pace, Report report) {
        RunFolder folder = RunFolder.create("proxies-" + name());
        List<Round> rounds = new ArrayList<>();
        try (Nginx origin = Nginx.origin(folder, "origin", Cores.LOAD, BODY, false);
                Peer postern = Peer.postern(Peer.POSTERN, folder, origin.port(), Map.of());
                Worker driver = Worker.start(folder, Cores.LOAD, SpreadWorker.class, String.valueOf(postern.port()))) {
            Progress.say("warming up, " + 2 * pace.warmUp().toSeconds() + " s");
            ask(driver, FEW, pace.warmUp().toSeconds());
            ask(driver, MANY, pace.warmUp().toSeconds());
            for (int number = 1; number <= pace.rounds(); number++) {
                Round round = new Round(
                        ask(driver, FEW, pace.turn().toSeconds()),
                        ask(driver, MANY, pace.turn().toSeconds()));
                rounds.add(round);
                Progress.say("spread, round %d of %d: p50 %.0f us over %d connections, %.0f us over %,d"
                        .formatted(number, pace.rounds(), round.few.sentP50(), FEW, round.many.sentP50(), MANY));
            }
        }
        addTo(report, rounds);
    }

    private Latencies ask(Worker driver, int connections, long seconds) {
        Latencies latencies = Latencies.parse(driver.ask(rate + " " + rate * Math.max(1, seconds) + " " + connections));
        if (latencies.failed() > 0) {
            throw new IllegalStateException(
                    "failed: " + latencies.failed() + " of " + latencies.calls() + " calls (expected: none)");
        }
        return latencies;
    }

    private void addTo(Report report, List<Round> rounds) {
        for (int connections : List.of(FEW, MANY)) {
            String over = "p50 us over %,d connections, from ".formatted(connections);
            report.note(
                    over + "sent",
                    interval(rounds, round -> round.of(connections).sentP50()));
            report.note(
                    over + "due",
                    interval(rounds, round -> round.of(connections).dueP50()));
        }
        report.ratio(
                "p50 from sent, over %,d / over %d connections (paired)".formatted(MANY, FEW),
                "p50, %,d / %d connections".formatted(MANY, FEW),
                interval(rounds, round -> round.many.sentP50() / round.few.sentP50()),
                GOAL);
    }

    private static Interval interval(List<Round> rounds, ToDoubleFunction<Round> figure) {
        return Interval.of(rounds.stream().mapToDouble(figure).toArray());
    }
}
