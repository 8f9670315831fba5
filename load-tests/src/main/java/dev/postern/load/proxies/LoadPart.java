package dev.postern.load.proxies;

import dev.postern.load.measure.Progress;
import dev.postern.load.measure.Table;
import dev.postern.load.peer.Peer;
import dev.postern.load.server.Cores;
import dev.postern.load.server.Nginx;
import dev.postern.load.server.RunFolder;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Load part: measures a row under load, whose peers all run at once and take the load in turn. */
record LoadPart(LoadRow row, Starter starter) implements Part {
    /** Starter of a peer of a kind in front of an origin. */
    @FunctionalInterface
    interface Starter {
        Peer start(String kind, RunFolder folder, int upstreamPort);
    }

    /** The peers that run, and for each other one the reason why it does not. */
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
    public void measure(Pace pace, Table table) {
        try (RunFolder folder = RunFolder.create("proxies-" + row.name())) {
            Progress.say(row.title() + "; configurations and logs: " + folder);
            Started started = start(
                    folder,
                    Nginx.origin(folder, "origin", Cores.LOAD, row.body(), false)
                            .port());
            List<PeerContender> contenders = started.peers.stream()
                    .map(peer -> new PeerContender(peer, row.load()))
                    .toList();
            contenders.forEach(contender -> contender.warmUp(pace.warmUp()));
            Alternation alternation = new Alternation(row.name(), pace);
            alternation.take(contenders);
            addTo(table, started, alternation.rounds());
            if (alternation.discarded() > 0) {
                table.note("rounds with errors, taken again", alternation.discarded());
            }
        }
    }

    private Started start(RunFolder folder, int originPort) {
        List<Peer> peers = new ArrayList<>();
        Map<String, String> missing = new HashMap<>();
        for (String kind : row.peers()) {
            Progress.say("starting " + kind);
            try {
                peers.add(starter.start(kind, folder, originPort));
            } catch (IllegalStateException e) {
                if (!LoadRow.optional(kind)) {
                    throw e;
                }
                missing.put(kind, Progress.firstLine(e));
                Progress.say(kind + " is not measured: " + Progress.firstLine(e));
            }
        }
        return new Started(peers, missing);
    }

    private void addTo(Table table, Started started, Rounds rounds) {
        for (Peer peer : started.peers) {
            String name = peer.name();
            table.note(name + ", CPU us per request", rounds.of(name, Turn::cpuMicros));
            table.note(name + ", requests per second", rounds.of(name, Turn::perSecond));
            if (row.comparisons().stream().anyMatch(Comparison::isLatency)) {
                table.note(name + ", p50 us", rounds.of(name, Turn::typical));
            }
        }
        for (Comparison comparison : row.comparisons()) {
            String reason = started.missing.get(comparison.peer());
            if (reason != null) {
                table.notMeasured(comparison.figure(), reason, comparison.goal());
            } else {
                table.goal(comparison.figure(), comparison.of(rounds), comparison.goal());
            }
        }
    }
}
