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
    int operations = 300_000;

    @Option(names = "--warm-up", description = "Turns of each before the first round.")
    int warmUp = 3;

    @Option(names = "--goal-rate", description = "Spends per second by spymemcached, as a multiple of the bare loop's.")
    double goalRate = 0.9;

    @Option(
            names = "--goal-netty-rate",
            description = "Spends per second by client netty, as a multiple of the bare loop's.")
    double goalNettyRate = 5;

    @Option(names = "--goal-netty-cpu", description = "CPU time of each by client netty, microseconds.")
    double goalNettyCpu = 2.5;

    @Option(names = "--goal-netty-heap", description = "Heap of each by client netty, bytes.")
    double goalNettyHeap = 50;

    @Override
    public Integer call() {
        RunFolder folder = RunFolder.create("ledger");
        try (Memcached memcached = Memcached.start(folder, Cores.LOAD)) {
            String port = String.valueOf(memcached.port());
            try (Worker bare = Worker.start(folder, Cores.MEASURED, SpymemcachedWorker.class, port);
                    Worker spy = Worker.start(folder, Cores.MEASURED, LedgerWorker.class, port, "SPYMEMCACHED");
                    Worker netty = Worker.start(folder, Cores.MEASURED, LedgerWorker.class, port, "NETTY")) {
                Table table = measure(List.of(bare, spy, netty));
                System.out.println(table);
                return table.status();
            }
        }
    }

    private Table measure(List<Worker> workers) {
        List<List<Cost>> costs =
                workers.stream().<List<Cost>>map(each -> new ArrayList<>()).toList();
        for (int round = 1 - warmUp; round <= rounds; round++) {
            List<Cost> now = workers.stream()
                    .map(each -> Cost.parse(each.ask(String.valueOf(operations))))
                    .toList();
            String which = round < 1 ? "warming up" : "round %d of %d".formatted(round, rounds);
            Progress.say("%s: bare %,.0f/s, ledger %,.0f/s, by netty %,.0f/s"
                    .formatted(
                            which,
                            now.get(0).perSecond(),
                            now.get(1).perSecond(),
                            now.get(2).perSecond()));
            for (int i = 0; i < now.size() && round > 0; i++) {
                costs.get(i).add(now.get(i));
            }
        }
        return table(costs.get(0), costs.get(1), costs.get(2));
    }

    private Table table(List<Cost> bare, List<Cost> spy, List<Cost> netty) {
        Table table = new Table();
        tell(table, "bare spymemcached add", bare);
        tell(table, "ledger, client spymemcached", spy);
        tell(table, "ledger, client netty", netty);
        return table.goal(
                        "spends per second, spymemcached / bare (paired)",
                        paired(spy, bare, Cost::perSecond),
                        Goal.atLeast(goalRate))
                .goal(
                        "spends per second, netty / bare spymemcached (paired)",
                        paired(netty, bare, Cost::perSecond),
                        Goal.atLeast(goalNettyRate))
                .goal("CPU us each, netty", spread(netty, Cost::cpuMicros), Goal.atMost(goalNettyCpu))
                .goal("heap bytes each, netty", spread(netty, Cost::heapBytes), Goal.atMost(goalNettyHeap));
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
