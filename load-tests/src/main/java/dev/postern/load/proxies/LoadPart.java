package dev.postern.load.proxies;

import dev.postern.load.measure.Progress;
import dev.postern.load.peer.Peer;
import dev.postern.load.server.Cores;
import dev.postern.load.server.Nginx;
import dev.postern.load.server.RunFolder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Measures a row under load: all its peers run at once, and take the load in turn. */
record LoadPart(LoadRow row) implements Part {
    /** One round in so many may be void, as when a neighbour takes the machine; more say that something is wrong. */
    private static final int MOST_VOID = 4;

    private static final Duration WARM_UP_TURN = Duration.ofSeconds(3);

    /** Who runs, and why the others don't. */
    private record Started(List<Peer> peers, Map<String, String> missing) {}

    @Override
    public String name() {
        return row.name();
    }

    @Override
    public String title() {
        return row.title();
    }

    @Override
    public void measure(Pace pace, Report report) {
        RunFolder folder = RunFolder.create("proxies-" + row.name());
        Progress.say(row.title() + "; configurations and logs: " + folder);
        List<Peer> peers = new ArrayList<>();
        try (Nginx origin = Nginx.origin(folder, "origin", Cores.LOAD, row.body(), false)) {
            Map<String, String> missing = start(folder, origin.port(), peers);
            for (Peer peer : peers) {
                warmUp(pace, peer);
            }
            Rounds rounds = new Rounds();
            int discarded = measure(pace, peers, rounds);
            tell(report, new Started(peers, missing), rounds);
            if (discarded > 0) {
                report.note("rounds with errors, taken again", discarded);
            }
        } finally {
            peers.forEach(Peer::close);
        }
    }

    private void warmUp(Pace pace, Peer peer) {
        Progress.say("warming up " + peer.name() + ", " + pace.warmUp().toSeconds() + " s and until it gets no faster");
        row.load().warmUp(peer, pace.warmUp());
        Steady steady = new Steady();
        while (!steady.after(cost(peer))) {
            // one more turn
        }
    }

    /** Of a request in a turn that doesn't count; infinite when not all answers were good, as a cold server's may be. */
    private double cost(Peer peer) {
        try {
            return row.load().turn(peer, WARM_UP_TURN).cpuMicros();
        } catch (IllegalStateException e) {
            return Double.POSITIVE_INFINITY;
        }
    }

    /** Adds who could be started and returns who could not. */
    private Map<String, String> start(RunFolder folder, int originPort, List<Peer> peers) {
        Map<String, String> missing = new HashMap<>();
        for (String kind : row.peers()) {
            Progress.say("starting " + kind);
            try {
                peers.add(Peer.start(kind, folder, originPort));
            } catch (IllegalStateException e) {
                if (!LoadRow.optional(kind)) {
                    throw e;
                }
                missing.put(kind, firstLine(e));
                Progress.say(kind + " is not measured: " + firstLine(e));
            }
        }
        return missing;
    }

    /** Returns how many rounds had to be taken again. */
    private int measure(Pace pace, List<Peer> peers, Rounds rounds) {
        List<Peer> order = new ArrayList<>(peers);
        int discarded = 0;
        while (rounds.count() < pace.rounds()) {
            try {
                rounds.add(round(pace, order, rounds.count() + 1));
            } catch (IllegalStateException e) {
                discarded++;
                Progress.say("round taken again: " + firstLine(e));
                if (discarded > Math.max(1, pace.rounds() / MOST_VOID)) {
                    throw e;
                }
            }
            // Each peer goes first equally often, so that no one always follows the same neighbour.
            Collections.rotate(order, 1);
        }
        return discarded;
    }

    private Map<String, Turn> round(Pace pace, List<Peer> order, int number) {
        Map<String, Turn> turns = new LinkedHashMap<>();
        for (Peer peer : order) {
            Turn turn = row.load().turn(peer, pace.turn());
            // What a slow one still does for clients that are gone, or its compiler, must not take the time of the
            // next.
            peer.process().awaitQuiet();
            turns.put(peer.name(), turn);
            Progress.say("%s, round %d of %d: %-20s %8.2f us CPU, %,8.0f requests/s, %,.0f us each"
                    .formatted(
                            row.name(),
                            number,
                            pace.rounds(),
                            peer.name(),
                            turn.cpuMicros(),
                            turn.perSecond(),
                            turn.typical()));
        }
        return turns;
    }

    private void tell(Report report, Started started, Rounds rounds) {
        for (Peer peer : started.peers) {
            String name = peer.name();
            report.note(name + ", CPU us per request", rounds.of(name, Turn::cpuMicros));
            report.note(name + ", requests per second", rounds.of(name, Turn::perSecond));
            if (row.comparisons().stream().anyMatch(Comparison::isLatency)) {
                report.note(name + ", p50 us", rounds.of(name, Turn::typical));
            }
        }
        for (Comparison comparison : row.comparisons()) {
            String why = started.missing.get(comparison.peer());
            if (why != null) {
                report.notMeasured(comparison.figure(), why, comparison.goal());
            } else if (comparison.isRatio()) {
                report.ratio(comparison.figure(), comparison.label(), comparison.of(rounds), comparison.goal());
            } else {
                report.figure(comparison.figure(), comparison.of(rounds), comparison.goal());
            }
        }
    }

    private static String firstLine(IllegalStateException problem) {
        return String.valueOf(problem.getMessage()).lines().findFirst().orElse("no word of why");
    }
}
