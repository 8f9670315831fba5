package dev.postern.load.bench;

import dev.postern.load.measure.Goal;
import dev.postern.load.measure.Progress;
import dev.postern.load.measure.Spread;
import dev.postern.load.measure.Table;
import dev.postern.load.server.Cores;
import dev.postern.load.server.Memcached;
import dev.postern.load.server.RunFolder;
import dev.postern.load.worker.Cost;
import dev.postern.load.worker.LedgerWorker;
import dev.postern.load.worker.SpymemcachedWorker;
import dev.postern.load.worker.Worker;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** What a spend costs by itself, at full speed and without a gateway around it, beside what spymemcached alone makes of the same command. */
@Command(
        name = "ledger",
        description = "Spends per second, CPU time and heap for each, beside a bare spymemcached loop.",
        showDefaultValues = true,
        mixinStandardHelpOptions = true)
final class LedgerBench implements Callable<Integer> {
    @Option(names = "--rounds", description = "Alternating rounds that count.")
    int rounds = 10;

    @Option(names = "--operations", description = "Spends in each turn.")
    int operations = 100_000;

    @Option(names = "--warm-up", description = "Turns of each before the first round.")
    int warmUp = 3;

    @Option(names = "--goal-rate", description = "Spends per second by spymemcached, as a multiple of the bare loop's.")
    double goalRate = 0.9;

    @Override
    public Integer call() {
        RunFolder folder = RunFolder.create("ledger");
        try (Memcached memcached = Memcached.start(folder, Cores.LOAD)) {
            String port = String.valueOf(memcached.port());
            try (Worker bare = Worker.start(folder, Cores.MEASURED, SpymemcachedWorker.class, port);
                    Worker ledger = Worker.start(folder, Cores.MEASURED, LedgerWorker.class, port)) {
                Table table = measure(bare, ledger);
                System.out.println(table);
                return table.status();
            }
        }
    }

    private Table measure(Worker bare, Worker ledger) {
        List<Cost> bareCosts = new ArrayList<>();
        List<Cost> ledgerCosts = new ArrayList<>();
        for (int round = 1 - warmUp; round <= rounds; round++) {
            Cost one = Cost.parse(bare.ask(String.valueOf(operations)));
            Cost other = Cost.parse(ledger.ask(String.valueOf(operations)));
            String which = round < 1 ? "warming up" : "round %d of %d".formatted(round, rounds);
            Progress.say("%s: bare %,.0f/s, ledger %,.0f/s".formatted(which, one.perSecond(), other.perSecond()));
            if (round > 0) {
                bareCosts.add(one);
                ledgerCosts.add(other);
            }
        }
        Table table = new Table();
        tell(table, "bare spymemcached add", bareCosts);
        tell(table, "ledger, client spymemcached", ledgerCosts);
        return table.goal(
                "spends per second, ledger / bare (paired)",
                paired(ledgerCosts, bareCosts, Cost::perSecond),
                Goal.atLeast(goalRate));
    }

    private static void tell(Table table, String who, List<Cost> costs) {
        table.note(who + ": per second", spread(costs, Cost::perSecond))
                .note(who + ": CPU us each", spread(costs, Cost::cpuMicros))
                .note(who + ": heap bytes each", spread(costs, Cost::heapBytes));
    }

    private static Spread spread(List<Cost> costs, ToDoubleFunction<Cost> figure) {
        return Spread.of(costs.stream().mapToDouble(figure).toArray());
    }

    private static Spread paired(List<Cost> of, List<Cost> to, ToDoubleFunction<Cost> figure) {
        return Spread.of(IntStream.range(0, of.size())
                .mapToDouble(i -> figure.applyAsDouble(of.get(i)) / figure.applyAsDouble(to.get(i)))
                .toArray());
    }
}
