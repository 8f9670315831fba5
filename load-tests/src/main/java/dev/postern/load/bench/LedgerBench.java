package dev.postern.load.bench;

import dev.postern.load.jmh.LedgerLoad;
import dev.postern.load.jmh.Spends;
import dev.postern.load.measure.Cost;
import dev.postern.load.measure.Goal;
import dev.postern.load.measure.Table;
import dev.postern.load.server.Cores;
import dev.postern.load.server.Memcached;
import dev.postern.load.server.RunFolder;
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
        description = "Spends per second, CPU time and heap for each, beside a bare spymemcached loop.")
final class LedgerBench implements Callable<Integer> {
    /** Spends per second by each client, as a multiple of the bare loop's. */
    private static final Goal RATE = Goal.atLeast(0.9);

    private static final Goal NETTY_RATE = Goal.atLeast(5);
    private static final Goal NETTY_CPU_MICROS = Goal.atMost(2.5);
    private static final Goal NETTY_HEAP_BYTES = Goal.atMost(50);

    @Mixin
    RoundOptions options = new RoundOptions(10, 0);

    private record Round(Cost bare, Cost spy, Cost netty, Cost limit) {}

    @Override
    public Integer call() {
        try (RunFolder folder = RunFolder.create("ledger")) {
            int port = Memcached.start(folder, Cores.LOAD).port();
            return table(options.take(
                            () -> new Round(
                                    Spends.bare(folder, port),
                                    Spends.ledger(folder, port, "SPYMEMCACHED", LedgerLoad.AT_ONCE),
                                    Spends.ledger(folder, port, "NETTY", LedgerLoad.AT_ONCE),
                                    Spends.limit(folder, port)),
                            round -> "bare %,.0f/s, ledger %,.0f/s, by netty %,.0f/s, at most %,.0f/s"
                                    .formatted(
                                            round.bare.perSecond(),
                                            round.spy.perSecond(),
                                            round.netty.perSecond(),
                                            round.limit.perSecond())))
                    .print();
        }
    }

    private static Table table(List<Round> rounds) {
        Table table = new Table();
        Table.Rows<Round> rows = table.of(rounds);
        addTo(rows, "bare spymemcached add", Round::bare);
        addTo(rows, "ledger, client spymemcached", Round::spy);
        addTo(rows, "ledger, client netty", Round::netty);
        rows.note("what the server can do: per second", round -> round.limit.perSecond())
                .goal(
                        "spends per second, spymemcached / bare (paired)",
                        round -> round.spy.perSecond() / round.bare.perSecond(),
                        RATE)
                .goal(
                        "spends per second, netty / bare spymemcached (paired)",
                        round -> round.netty.perSecond() / round.bare.perSecond(),
                        NETTY_RATE)
                .note(
                        "spends per second, netty / what the server can do (paired)",
                        round -> round.netty.perSecond() / round.limit.perSecond())
                .note(
                        "spends per CPU second, netty / bare spymemcached (paired)",
                        round -> round.bare.cpuMicros() / round.netty.cpuMicros())
                .goal("CPU us each, netty", round -> round.netty.cpuMicros(), NETTY_CPU_MICROS)
                .goal("heap bytes each, netty", round -> round.netty.heapBytes(), NETTY_HEAP_BYTES);
        return table;
    }

    private static void addTo(Table.Rows<Round> rows, String subject, Function<Round, Cost> cost) {
        rows.note(subject + ": per second", round -> cost.apply(round).perSecond())
                .note(subject + ": CPU us each", round -> cost.apply(round).cpuMicros())
                .note(subject + ": heap bytes each", round -> cost.apply(round).heapBytes());
    }
}
