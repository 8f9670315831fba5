package dev.postern.load.bench;

import dev.postern.load.measure.Goal;
import dev.postern.load.measure.Spread;
import dev.postern.load.measure.Table;
import dev.postern.load.server.Cores;
import dev.postern.load.server.Memcached;
import dev.postern.load.server.RunFolder;
import dev.postern.load.worker.Cost;
import dev.postern.load.worker.LedgerWorker;
import dev.postern.load.worker.Outstanding;
import dev.postern.load.worker.ServerLimitWorker;
import dev.postern.load.worker.SpymemcachedWorker;
import dev.postern.load.worker.Worker;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.Function;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/**
 * Measures the cost of a spend at full speed and without a gateway, beside the same command sent by spymemcached alone.
 */
@Command(
        name = "ledger",
        description = "Spends per second, CPU time and heap for each, beside a bare spymemcached loop.",
        showDefaultValues = true,
        mixinStandardHelpOptions = true)
final class LedgerBench implements Callable<Integer> {
    /** Spends per second by each client, as a multiple of the bare loop's. */
    private static final Goal RATE = Goal.atLeast(0.9);

    private static final Goal NETTY_RATE = Goal.atLeast(5);
    private static final Goal NETTY_CPU_MICROS = Goal.atMost(2.5);
    private static final Goal NETTY_HEAP_BYTES = Goal.atMost(50);

    private static final int SPENDS = 300_000;

    @Mixin
    RoundOptions options = new RoundOptions(10, 3);

    @Override
    public Integer call() {
        RunFolder folder = RunFolder.create("ledger");
        try (Memcached memcached = Memcached.start(folder, Cores.LOAD)) {
            String port = String.valueOf(memcached.port());
            try (Worker bare = Worker.start(folder, Cores.MEASURED, SpymemcachedWorker.class, port);
                    Worker spy = Worker.start(
                            folder, Cores.MEASURED, LedgerWorker.class, "memcached", port, "SPYMEMCACHED");
                    Worker netty =
                            Worker.start(folder, Cores.MEASURED, LedgerWorker.class, "memcached", port, "NETTY");
                    Worker limit = Worker.start(folder, Cores.MEASURED, ServerLimitWorker.class, port)) {
                Table table = measure(new Parties(bare, spy, netty, limit));
                System.out.println(table);
                return table.status();
            }
        }
    }

    private record Parties(Worker bare, Worker spy, Worker netty, Worker limit) {}

    private record Round(Cost bare, Cost spy, Cost netty, Cost limit) {}

    private Table measure(Parties parties) {
        return table(options.take(
                () -> round(parties),
                round -> "bare %,.0f/s, ledger %,.0f/s, by netty %,.0f/s, at most %,.0f/s"
                        .formatted(
                                round.bare.perSecond(),
                                round.spy.perSecond(),
                                round.netty.perSecond(),
                                round.limit.perSecond())));
    }

    private static Round round(Parties parties) {
        String many = SPENDS + " " + Outstanding.AT_ONCE;
        return new Round(
                ask(parties.bare, "" + SPENDS),
                ask(parties.spy, many),
                ask(parties.netty, many),
                ask(parties.limit, "" + SPENDS));
    }

    private static Cost ask(Worker worker, String question) {
        return Cost.parse(worker.ask(question));
    }

    private static Table table(List<Round> rounds) {
        Table table = new Table();
        addTo(table, "bare spymemcached add", rounds, Round::bare);
        addTo(table, "ledger, client spymemcached", rounds, Round::spy);
        addTo(table, "ledger, client netty", rounds, Round::netty);
        return table.note("what the server can do: per second", Spread.of(rounds, round -> round.limit.perSecond()))
                .goal(
                        "spends per second, spymemcached / bare (paired)",
                        Spread.of(rounds, round -> round.spy.perSecond() / round.bare.perSecond()),
                        RATE)
                .goal(
                        "spends per second, netty / bare spymemcached (paired)",
                        Spread.of(rounds, round -> round.netty.perSecond() / round.bare.perSecond()),
                        NETTY_RATE)
                .note(
                        "spends per second, netty / what the server can do (paired)",
                        Spread.of(rounds, round -> round.netty.perSecond() / round.limit.perSecond()))
                .note(
                        "spends per CPU second, netty / bare spymemcached (paired)",
                        Spread.of(rounds, round -> round.bare.cpuMicros() / round.netty.cpuMicros()))
                .goal("CPU us each, netty", Spread.of(rounds, round -> round.netty.cpuMicros()), NETTY_CPU_MICROS)
                .goal("heap bytes each, netty", Spread.of(rounds, round -> round.netty.heapBytes()), NETTY_HEAP_BYTES);
    }

    private static void addTo(Table table, String subject, List<Round> rounds, Function<Round, Cost> cost) {
        table.note(
                        subject + ": per second",
                        Spread.of(rounds, round -> cost.apply(round).perSecond()))
                .note(
                        subject + ": CPU us each",
                        Spread.of(rounds, round -> cost.apply(round).cpuMicros()))
                .note(
                        subject + ": heap bytes each",
                        Spread.of(rounds, round -> cost.apply(round).heapBytes()));
    }
}
