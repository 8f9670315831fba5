package dev.postern.load.bench;

import dev.postern.load.measure.Goal;
import dev.postern.load.measure.Progress;
import dev.postern.load.measure.Spread;
import dev.postern.load.measure.Table;
import dev.postern.load.measure.Wrk;
import dev.postern.load.peer.Peer;
import dev.postern.load.server.Cores;
import dev.postern.load.server.Nginx;
import dev.postern.load.server.RunFolder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.ToDoubleFunction;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * Measures the CPU time per request of the proxy process, beside nginx, in alternating turns and paired round by round.
 */
@Command(
        name = "proxy",
        description = "CPU time per request with tokens off, one event loop beside one nginx worker.",
        showDefaultValues = true,
        mixinStandardHelpOptions = true)
final class ProxyBench implements Callable<Integer> {
    @Option(names = "--rounds", description = "Alternating rounds that count.")
    int rounds = 10;

    @Option(names = "--seconds", description = "Length of each peer's turn.")
    int seconds = 3;

    @Option(names = "--warm-up", description = "Seconds of load on each peer before the first round.")
    int warmUp = 10;

    @Option(names = "--connections", description = "Connections of the driver.")
    int connections = 64;

    @Option(names = "--body", description = "Bytes of the origin's response.")
    int body = 128;

    @Option(names = "--goal", description = "The gateway's CPU time per request, as a multiple of the first peer's.")
    double goal = 1.2;

    @Option(
            names = "--peer",
            description =
                    "Once for each: nginx, nginx-again (a control: the same twice), nginx-no-keep-alive, nginx-large-buffers, haproxy, relay,"
                            + " vertx, spring-cloud-gateway, postern, postern-io-uring, or 'name=command with {port} and {upstream}'."
                            + " The first is what the others are compared with.",
            defaultValue = "nginx,nginx-again,postern",
            split = ",")
    List<String> kinds = new ArrayList<>();

    /** Turn of one peer in one round. */
    private record Turn(double cpuMicros, double perSecond, double p50, double p99) {}

    /** Series of all turns of one peer. */
    private record Series(Peer peer, List<Turn> turns) {
        Spread spread(ToDoubleFunction<Turn> figure) {
            return Spread.of(turns.stream().mapToDouble(figure).toArray());
        }
    }

    @Override
    public Integer call() {
        RunFolder folder = RunFolder.create("proxy");
        Progress.say("configurations and logs: " + folder + "; leak detection is off");
        List<Peer> peers = new ArrayList<>();
        try (Nginx origin = Nginx.origin(folder, "origin", Cores.LOAD, body, false)) {
            for (String kind : kinds) {
                Progress.say("starting " + kind);
                peers.add(Peer.start(kind, folder, origin.port()));
            }
            Table table = table(measure(peers));
            System.out.println(table);
            return table.status();
        } finally {
            peers.forEach(Peer::close);
        }
    }

    private List<Series> measure(List<Peer> peers) {
        for (Peer peer : peers) {
            Progress.say("warming up " + peer.name() + ", " + warmUp + " s");
            Wrk.run(peer.uri(), connections, Duration.ofSeconds(warmUp));
        }
        List<Series> all =
                peers.stream().map(peer -> new Series(peer, new ArrayList<>())).toList();
        List<Series> order = new ArrayList<>(all);
        for (int round = 1; round <= rounds; round++) {
            for (Series series : order) {
                Turn turn = turn(series.peer);
                series.turns.add(turn);
                Progress.say("round %d of %d: %-12s %6.2f us CPU, %,8.0f requests/s"
                        .formatted(round, rounds, series.peer.name(), turn.cpuMicros, turn.perSecond));
            }
            // Each peer goes first equally often, so that no peer always follows the same other peer.
            Collections.rotate(order, 1);
        }
        return all;
    }

    private Turn turn(Peer peer) {
        Duration cpuBefore = peer.process().cpu();
        Wrk load = Wrk.run(peer.uri(), connections, Duration.ofSeconds(seconds));
        Duration used = peer.process().cpu().minus(cpuBefore);
        return new Turn(used.toNanos() / 1e3 / load.requests(), load.perSecond(), load.p50(), load.p99());
    }

    private Table table(List<Series> all) {
        Table table = new Table();
        Series first = all.get(0);
        for (Series series : all) {
            String name = series.peer.name();
            table.note(name + ": CPU us per request", series.spread(Turn::cpuMicros))
                    .note(name + ": requests per second", series.spread(Turn::perSecond))
                    .note(name + ": p50 us, closed loop", series.spread(Turn::p50))
                    .note(name + ": p99 us, closed loop", series.spread(Turn::p99));
        }
        for (Series series : all.subList(1, all.size())) {
            Spread ratio = paired(series.turns, first.turns);
            String figure = "CPU per request, " + series.peer.name() + " / " + first.peer.name() + " (paired)";
            if (series.peer.name().equals("postern")) {
                table.goal(figure, ratio, Goal.atMost(goal));
            } else {
                table.note(figure, ratio);
            }
        }
        return table;
    }

    private static Spread paired(List<Turn> turns, List<Turn> first) {
        double[] ratios = new double[turns.size()];
        for (int i = 0; i < ratios.length; i++) {
            ratios[i] = turns.get(i).cpuMicros / first.get(i).cpuMicros;
        }
        return Spread.of(ratios);
    }
}
