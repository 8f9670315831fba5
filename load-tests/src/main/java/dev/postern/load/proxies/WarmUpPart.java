package dev.postern.load.proxies;

import dev.postern.load.measure.Goal;
import dev.postern.load.measure.Interval;
import dev.postern.load.measure.Progress;
import dev.postern.load.measure.Table;
import dev.postern.load.measure.Wrk;
import dev.postern.load.peer.Peer;
import dev.postern.load.server.Cores;
import dev.postern.load.server.Nginx;
import dev.postern.load.server.RunFolder;
import dev.postern.load.worker.Latencies;
import dev.postern.load.worker.NewcomerWorker;
import dev.postern.load.worker.Worker;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Warm-up part: latency of a gateway that has just reported ready, beside the same gateway some time later; with and
 * without the gateway's own warm-up.
 */
final class WarmUpPart implements Part {
    private static final int RATE = 1_000;
    private static final int CONNECTIONS = 10;
    private static final int SECONDS = 10;
    private static final int BODY = 128;
    /** A higher rate than the measured one, so that the driver's own code is compiled before the measurement. */
    private static final int DRIVER_RATE = 3_000;

    private static final int LOAD_CONNECTIONS = 64;
    /** Each round starts two new gateways and loads each of them for half a minute. */
    private static final int MAX_ROUNDS = 5;

    /** Start of the gateway. */
    private enum Start {
        WARMED("3s", Goal.atMost(10)),
        COLD("0s", null);

        private final String warmUp;
        private final @Nullable Goal goal;

        Start(String warmUp, @Nullable Goal goal) {
            this.warmUp = warmUp;
            this.goal = goal;
        }
    }

    /** Microseconds from due, 99th percentiles. */
    private record Times(double first, double steady) {
        double ratio() {
            return first / steady;
        }
    }

    @Override
    public String name() {
        return "warm-up";
    }

    @Override
    public String title() {
        return "%,d requests/s from the start".formatted(RATE);
    }

    @Override
    public void measure(Pace pace, Table table) {
        int rounds = Math.min(MAX_ROUNDS, pace.rounds());
        Map<Start, List<Times>> times = new EnumMap<>(Start.class);
        try (RunFolder folder = RunFolder.create("proxies-" + name())) {
            Nginx origin = Nginx.origin(folder, "origin", Cores.LOAD, BODY, false);
            Worker driver = Worker.start(folder, Cores.LOAD, NewcomerWorker.class);
            long seconds = pace.warmUp().toSeconds();
            Progress.say("warming up the driver, " + seconds + " s");
            ask(driver, origin.port(), DRIVER_RATE, seconds);
            List<Start> order = new ArrayList<>(List.of(Start.values()));
            for (int number = 1; number <= rounds; number++) {
                for (Start start : order) {
                    Times seen = round(pace, folder, origin, driver, start);
                    times.computeIfAbsent(start, any -> new ArrayList<>()).add(seen);
                    Progress.say(
                            "warm-up: %s, round %d of %d: p99 %,.0f us in the first %d s, %,.0f us later",
                            start.warmUp, number, rounds, seen.first, SECONDS, seen.steady);
                }
                Collections.rotate(order, 1);
            }
        }
        times.forEach((start, seen) -> addTo(table, start, seen));
    }

    private static Times round(Pace pace, RunFolder folder, Nginx origin, Worker driver, Start start) {
        Map<String, String> environment = Map.of("POSTERN_LIFECYCLE_WARM_UP", start.warmUp);
        try (Peer postern = Peer.postern("warm-up-" + start.warmUp, folder, origin.port(), false, environment)) {
            double first = ask(driver, postern.port(), RATE, SECONDS);
            Wrk.warmUp(postern.uri(), LOAD_CONNECTIONS, pace.warmUp());
            return new Times(first, ask(driver, postern.port(), RATE, SECONDS));
        }
    }

    /** Returns the 99th percentile from due. */
    private static double ask(Worker driver, int port, int rate, long seconds) {
        String question = port + " " + rate + " " + rate * Math.max(1, seconds) + " " + CONNECTIONS;
        return driver.ask(question, Latencies.class).withoutFailures().dueP99();
    }

    private void addTo(Table table, Start start, List<Times> times) {
        String manner = "warm-up: " + start.warmUp + ", p99 from due, ";
        table.note(manner + "us, first %d s".formatted(SECONDS), Interval.of(times, Times::first));
        table.note(manner + "us, later", Interval.of(times, Times::steady));
        table.goal(manner + "first / later (paired)", Interval.of(times, Times::ratio), start.goal);
    }
}
