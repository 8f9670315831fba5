package dev.postern.load.bench;

import dev.postern.auth.verify.SignatureProvider;
import dev.postern.load.measure.Goal;
import dev.postern.load.measure.Spread;
import dev.postern.load.measure.Table;
import dev.postern.load.server.RunFolder;
import dev.postern.load.worker.Cost;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * Measures the signature checks per second of one core with each provider, beside {@code openssl speed} in alternating
 * turns.
 */
@Command(
        name = "verify",
        description = "Signature checks per second and core with each provider, beside openssl speed rsa2048.",
        showDefaultValues = true,
        mixinStandardHelpOptions = true)
final class VerifyBench implements Callable<Integer> {
    @Option(names = "--rounds", description = "Alternating rounds that count.")
    int rounds = 10;

    @Option(names = "--seconds", description = "Length of each turn.")
    int seconds = 2;

    @Option(names = "--warm-up", description = "Seconds for each provider before the first round.")
    int warmUp = 5;

    @Option(names = "--goal", description = "Checks of the native provider, as a multiple of OpenSSL's verifications.")
    double goal = 0.92;

    @Option(names = "--goal-heap", description = "Bytes of heap that a check of the native provider allocates.")
    double goalHeap = 300;

    @Override
    public Integer call() {
        RunFolder folder = RunFolder.create("verify");
        Table table = new Table();
        try (VerifyTurns turns = new VerifyTurns(folder)) {
            for (String provider : SignatureProvider.names()) {
                start(provider, turns, table);
            }
            turns.take(rounds, seconds);
            addTo(table, turns);
            System.out.println(table);
            return table.status();
        }
    }

    private void start(String provider, VerifyTurns turns, Table table) {
        try {
            SignatureProvider.named(provider);
        } catch (IllegalStateException e) {
            String reason = "not on this machine: " + e.getMessage();
            if (provider.equals(SignatureProvider.NATIVE)) {
                table.verdict(provider, reason, "loads", false);
            } else {
                table.note(provider, reason);
            }
            return;
        }
        turns.start(provider, warmUp);
    }

    private void addTo(Table table, VerifyTurns turns) {
        table.note("openssl speed rsa2048, raw verifications/s", Spread.of(turns.openssl()));
        for (VerifyTurns.Series series : turns.series()) {
            table.note(series.provider() + ": token signatures/s", Spread.of(series.perSecond()));
            String figure = series.provider() + " / openssl (paired)";
            Spread ratio = Spread.of(turns.ratios(series));
            Spread heap = Spread.of(
                    series.costs().stream().mapToDouble(Cost::heapBytes).toArray());
            if (series.provider().equals(SignatureProvider.NATIVE)) {
                table.goal(figure, ratio, Goal.atLeast(goal))
                        .goal(series.provider() + ": heap bytes each", heap, Goal.atMost(goalHeap));
            } else {
                table.note(figure, ratio).note(series.provider() + ": heap bytes each", heap);
            }
        }
    }
}
