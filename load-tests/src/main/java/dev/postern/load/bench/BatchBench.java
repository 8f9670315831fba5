package dev.postern.load.bench;

import dev.postern.auth.batch.BatchProvider;
import dev.postern.auth.verify.SignatureProvider;
import dev.postern.load.measure.Goal;
import dev.postern.load.measure.Interval;
import dev.postern.load.measure.Spread;
import dev.postern.load.measure.Table;
import dev.postern.load.server.RunFolder;
import dev.postern.load.worker.Cost;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * Measures the signature checks per second of one core out of a queue, in batches, and one at a time, beside
 * {@code openssl speed} in alternating turns.
 */
@Command(
        name = "batch",
        description = "Signature checks per second and core in batches and one at a time, beside openssl speed rsa2048."
                + " Needs libcrypto_mb.so.11, Java 22 or later, and a CPU with AVX-512 IFMA.",
        showDefaultValues = true,
        mixinStandardHelpOptions = true)
final class BatchBench implements Callable<Integer> {
    @Option(names = "--rounds", description = "Alternating rounds that count.")
    int rounds = 20;

    @Option(names = "--seconds", description = "Length of each turn.")
    int seconds = 2;

    @Option(names = "--warm-up", description = "Seconds for each provider before the first round.")
    int warmUp = 5;

    @Option(names = "--goal-queue", description = "Checks out of a queue, as a multiple of OpenSSL's verifications.")
    double goalQueue = 2.6;

    @Option(names = "--goal-single", description = "Checks one at a time, as a multiple of OpenSSL's verifications.")
    double goalSingle = 0.9;

    @Option(names = "--goal-heap", description = "Bytes of heap that a check in a batch allocates.")
    double goalHeap = 50;

    @Override
    public Integer call() {
        Table table = new Table();
        BatchProvider provider = BatchProvider.choose();
        if (!provider.available()) {
            String why = provider.description().why();
            System.out.println(table.verdict(BatchProvider.LIBRARY, "not on this machine: " + why, "loads", false));
            return table.status();
        }
        try (VerifyTurns turns = new VerifyTurns(RunFolder.create("batch"))) {
            VerifyTurns.Series queue = turns.start(BatchProvider.LIBRARY, warmUp);
            VerifyTurns.Series single =
                    turns.start(SignatureProvider.choose().description().name(), warmUp);
            turns.take(rounds, seconds);
            table.note("openssl speed rsa2048, raw verifications/s", Spread.of(turns.openssl()))
                    .note("queue of 8 and more: token signatures/s", Spread.of(queue.perSecond()))
                    .note("one at a time: token signatures/s", Spread.of(single.perSecond()));
            add(table, "queue of 8 and more / openssl (paired)", turns.ratios(queue), goalQueue);
            add(table, "one at a time / openssl (paired)", turns.ratios(single), goalSingle);
            double[] heap = queue.costs().stream().mapToDouble(Cost::heapBytes).toArray();
            table.goal("queue of 8 and more: heap bytes each", Spread.of(heap), Goal.atMost(goalHeap));
            System.out.println(table);
            return table.status();
        }
    }

    /** Adds a row whose median decides, with its 95 % interval. */
    private static void add(Table table, String figure, double[] ratios, double bound) {
        Interval interval = Interval.of(ratios);
        Goal goal = Goal.atLeast(bound);
        table.verdict(figure, interval.toString(), goal.toString(), goal.met(interval.median()));
    }
}
