package dev.postern.load.bench;

import dev.postern.auth.batch.BatchProvider;
import dev.postern.auth.verify.SignatureProvider;
import dev.postern.load.measure.Goal;
import dev.postern.load.measure.Interval;
import dev.postern.load.measure.Table;
import dev.postern.load.proxies.PaceOptions;
import dev.postern.load.server.RunFolder;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/**
 * Measures the signature checks per second of one core out of a queue, in batches, and one at a time, beside
 * {@code openssl speed} in alternating turns.
 */
@Command(
        name = "batch",
        description = "Signature checks per second and core in batches and one at a time, beside openssl speed rsa2048."
                + " Needs libcrypto_mb.so.11, Java 22 or later, and a CPU with AVX-512 IFMA.")
final class BatchBench implements Callable<Integer> {
    /** Checks out of a queue and one at a time, as a multiple of OpenSSL's verifications. */
    private static final Goal QUEUE = Goal.atLeast(2.6);

    private static final Goal SINGLE = Goal.atLeast(0.9);
    private static final Goal HEAP_BYTES = Goal.atMost(50);

    @Mixin
    PaceOptions options = new PaceOptions(20, 2, 2);

    @Override
    public Integer call() {
        Table table = new Table();
        BatchProvider provider = BatchProvider.choose();
        if (!provider.available()) {
            String why = provider.description().why();
            return table.verdict(BatchProvider.LIBRARY, "not on this machine: " + why, "loads", false)
                    .print();
        }
        try (RunFolder folder = RunFolder.create("batch")) {
            String queue = BatchProvider.LIBRARY;
            String single = SignatureProvider.choose().description().name();
            List<VerifyRound> rounds = VerifyRound.take(folder, options.pace(), List.of(queue, single));
            table.of(rounds)
                    .note("openssl speed rsa2048, raw verifications/s", VerifyRound::openssl)
                    .note("queue of 8 and more: token signatures/s", round -> round.perSecond(queue))
                    .note("one at a time: token signatures/s", round -> round.perSecond(single));
            table.goal(
                            "queue of 8 and more / openssl (paired)",
                            Interval.of(rounds, round -> round.ratio(queue)),
                            QUEUE)
                    .goal("one at a time / openssl (paired)", Interval.of(rounds, round -> round.ratio(single)), SINGLE)
                    .of(rounds)
                    .goal("queue of 8 and more: heap bytes each", round -> round.heapBytes(queue), HEAP_BYTES);
            return table.print();
        }
    }
}
