package dev.postern.load.proxies;

import dev.postern.load.measure.Goal;
import dev.postern.load.measure.Interval;
import dev.postern.load.measure.Known;
import dev.postern.load.measure.Progress;
import dev.postern.load.measure.Table;
import dev.postern.load.measure.Wrk;
import dev.postern.load.peer.Jdk;
import dev.postern.load.peer.Peer;
import dev.postern.load.server.Cores;
import dev.postern.load.server.Nginx;
import dev.postern.load.server.RunFolder;
import dev.postern.load.worker.Latencies;
import dev.postern.load.worker.NewcomerWorker;
import dev.postern.load.worker.Worker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * First load of a gateway: requests at a fixed rate from the moment when the gateway reports ready. In each round, new gateways
 * take it in turn, and then one that has been warm since before the first round.
 */
record FirstLoad(boolean tls) implements Part {
    /** CPU time, as a multiple of the same requests warm. */
    private static final Goal CPU = Goal.atMost(1.5);

    private static final int JDK = 25;
    /** Requests per second. */
    private static final int RATE = 2_000;

    private static final int CONNECTIONS = 10;
    private static final int LOAD_CONNECTIONS = 64;
    private static final int BODY = 128;
    /** The warm gateway serves a part of the requests, because its cost does not change with time. */
    private static final int WARM_SHARE = 3;

    /**
     * Load on one gateway.
     *
     * @param cpuMicros of the whole process, per request
     * @param p99Micros latency from when the request was due
     */
    record Load(double cpuMicros, double p99Micros) {}

    /** Round: the load on each kind of new gateway, and on the warm one. */
    record Round(Map<Start, Load> loads, Load warm) {
        Load first(Start start) {
            return Known.in(loads, "start", start);
        }
    }

    @Override
    public String name() {
        return tls ? "tls" : "clear-text";
    }

    @Override
    public String title() {
        return name() + ", %,d requests/s from the start".formatted(RATE);
    }

    @Override
    public void measure(Pace pace, Table table) {
        Jdk jdk = Jdk.found().stream()
                .filter(one -> one.major() == JDK)
                .findFirst()
                .orElseThrow(() -> new IllegalStateException(
                        "JDK " + JDK + ": not found (expected: installed; JAVA_HOME_" + JDK + " may name it)"));
        List<Round> rounds = rounds(pace, jdk);
        table.note("warm: CPU us per request", Interval.of(rounds, round -> round.warm.cpuMicros));
        for (Start start : Start.values()) {
            String manner = start.text;
            table.note(manner + ": CPU us per request", Interval.of(rounds, round -> round.first(start).cpuMicros))
                    .note(manner + ": p99 us from due", Interval.of(rounds, round -> round.first(start).p99Micros))
                    .goal(
                            manner
                                    + ": CPU, first %d s / warm (paired)"
                                            .formatted(pace.turn().toSeconds()),
                            Interval.of(rounds, round -> round.first(start).cpuMicros / round.warm.cpuMicros),
                            start == Start.SHIPPED ? CPU : null);
        }
        table.note("warm: p99 us from due", Interval.of(rounds, round -> round.warm.p99Micros));
    }

    private List<Round> rounds(Pace pace, Jdk jdk) {
        List<Round> rounds = new ArrayList<>();
        try (RunFolder folder = RunFolder.create("start-" + name())) {
            Nginx origin = Nginx.origin(folder, "origin", Cores.LOAD, BODY, false);
            Worker driver = Worker.start(folder, Cores.LOAD, NewcomerWorker.class);
            Peer warm = Peer.postern("warm", folder, origin.port(), tls, Start.SHIPPED.environment(jdk));
            Progress.say("warming up, " + pace.warmUp().toSeconds() + " s");
            Wrk.warmUp(warm.uri(), LOAD_CONNECTIONS, pace.warmUp());
            // Compiles the driver's own code, too.
            load(driver, warm, pace.warmUp().dividedBy(2));
            List<Start> order = new ArrayList<>(List.of(Start.values()));
            for (int number = 1; number <= pace.rounds(); number++) {
                Map<Start, Load> loads = new EnumMap<>(Start.class);
                for (Start start : order) {
                    String name = start.name().toLowerCase(Locale.ROOT);
                    try (Peer fresh = Peer.postern(name, folder, origin.port(), tls, start.environment(jdk))) {
                        loads.put(start, load(driver, fresh, pace.turn()));
                    }
                }
                Round round = new Round(loads, load(driver, warm, pace.turn().dividedBy(WARM_SHARE)));
                Progress.say("%s, round %d of %d: warm %s, %s", name(), number, pace.rounds(), round.warm, loads);
                rounds.add(round);
                Collections.rotate(order, 1);
            }
        }
        return rounds;
    }

    private Load load(Worker driver, Peer gateway, Duration length) {
        long calls = RATE * Math.max(1, length.toSeconds());
        Duration cpuBefore = gateway.process().cpu();
        String question = gateway.port() + " " + RATE + " " + calls + " " + CONNECTIONS + (tls ? " tls" : "");
        Latencies latencies = driver.ask(question, Latencies.class).withoutFailures();
        Duration used = gateway.process().cpu().minus(cpuBefore);
        return new Load(used.toNanos() / 1e3 / calls, latencies.dueP99());
    }

    /** Start of a gateway: as its launcher starts it, or without the AOT cache. */
    private enum Start {
        SHIPPED("AOT cache", "on"),
        BARE("no AOT cache", "off");

        private final String text;
        private final String cache;

        Start(String text, String cache) {
            this.text = text;
            this.cache = cache;
        }

        /** Returns the environment of the launcher. */
        Map<String, String> environment(Jdk jdk) {
            return Map.of("JAVA_HOME", jdk.home().toString(), "POSTERN_AOT_CACHE", cache);
        }
    }
}
