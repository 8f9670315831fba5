package dev.postern.load.bench;

import dev.postern.load.bench.ConnectionSite.Turn;
import dev.postern.load.measure.Goal;
import dev.postern.load.measure.Interval;
import dev.postern.load.measure.Progress;
import dev.postern.load.measure.Table;
import dev.postern.load.server.Cores;
import dev.postern.load.server.RunFolder;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Measures whether the tokens of one connection use several cores. */
@Command(
        name = "connection",
        description =
                "Requests with tokens over one HTTP/2 connection: a gateway on all cores beside one that is pinned to"
                        + " one core. Type 1 has a goal, type 2 is shown.",
        showDefaultValues = true,
        mixinStandardHelpOptions = true)
final class ConnectionBench implements Callable<Integer> {
    private static final Goal GOAL = Goal.atLeast(1.6);

    @Option(names = "--rounds", description = "Alternating rounds that count.")
    int rounds = 6;

    @Option(names = "--streams", description = "Requests at once.")
    int streams = 16;

    @Option(names = "--tokens1", description = "Requests of a turn with tokens of type 1.")
    int first = 1_000;

    @Option(names = "--tokens2", description = "Requests of a turn with tokens of type 2.")
    int second = 4_000;

    @Option(names = "--warm-up", description = "Turns of each gateway before the first round.")
    int warmUp = 5;

    @Override
    public Integer call() {
        Table table = new Table();
        measure(1, first, GOAL, table);
        measure(2, second, null, table);
        System.out.println(table);
        return table.status();
    }

    private void measure(int type, int requests, @Nullable Goal goal, Table table) {
        RunFolder folder = RunFolder.create("connection-" + type);
        int tokens = (warmUp + rounds) * requests;
        List<Turn> one = new ArrayList<>();
        List<Turn> all = new ArrayList<>();
        try (ConnectionSite pinned = new ConnectionSite(folder, "pinned", Cores.MEASURED, type, tokens, streams);
                ConnectionSite free = new ConnectionSite(folder, "free", Cores.ANY, type, tokens, streams)) {
            pinned.warmUp();
            free.warmUp();
            for (int round = 1 - warmUp; round <= rounds; round++) {
                Turn pinnedTurn = take(pinned, requests);
                Turn freeTurn = take(free, requests);
                if (round > 0) {
                    one.add(pinnedTurn);
                    all.add(freeTurn);
                }
                Progress.say("type %d, round %d of %d: %,.0f requests/s on one core, %,.0f on all"
                        .formatted(type, round, rounds, pinnedTurn.perSecond(), freeTurn.perSecond()));
            }
        }
        String name = "type %d, %d streams: ".formatted(type, streams);
        addTo(table, name + "one core: ", one);
        addTo(table, name + "all cores: ", all);
        double[] ratios = new double[one.size()];
        for (int i = 0; i < ratios.length; i++) {
            ratios[i] = all.get(i).perSecond() / one.get(i).perSecond();
        }
        String ratio = name + "requests/s, all cores / one (paired)";
        if (goal == null) {
            table.note(ratio, Interval.of(ratios));
        } else {
            table.goal(ratio, Interval.of(ratios), goal);
        }
    }

    private static Turn take(ConnectionSite site, int requests) {
        Turn turn = site.turn(requests);
        site.awaitQuiet();
        return turn;
    }

    private static void addTo(Table table, String name, List<Turn> turns) {
        table.note(name + "requests/s", interval(turns, Turn::perSecond))
                .note(name + "cores that the gateway used", interval(turns, Turn::cores))
                .note(name + "cores that the client used", interval(turns, Turn::clientCores));
    }

    private static Interval interval(List<Turn> turns, ToDoubleFunction<Turn> figure) {
        return Interval.of(turns.stream().mapToDouble(figure).toArray());
    }
}
