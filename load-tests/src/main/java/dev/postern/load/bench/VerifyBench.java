package dev.postern.load.bench;

import dev.postern.auth.verify.SignatureProvider;
import dev.postern.load.measure.Goal;
import dev.postern.load.measure.Spread;
import dev.postern.load.measure.Table;
import dev.postern.load.proxies.PaceOptions;
import dev.postern.load.server.RunFolder;
import dev.postern.load.worker.Cost;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

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
    /** Checks of the native provider, as a multiple of OpenSSL's verifications. */
    private static final Goal RATE = Goal.atLeast(0.92);

    private static final Goal HEAP_BYTES = Goal.atMost(300);

    @Mixin
    PaceOptions options = new PaceOptions(10, 2, 5);

    @Override
    public Integer call() {
        Table table = new Table();
        try (VerifyTurns turns = new VerifyTurns(RunFolder.create("verify"), options.pace())) {
            for (String provider : SignatureProvider.names()) {
                start(provider, turns, table);
            }
            turns.take();
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
        turns.start(provider);
    }

    private void addTo(Table table, VerifyTurns turns) {
        table.note("openssl speed rsa2048, raw verifications/s", Spread.of(turns.openssl()));
        for (VerifyTurns.Series series : turns.series()) {
            table.note(series.provider() + ": token signatures/s", Spread.of(series.perSecond()));
            String figure = series.provider() + " / openssl (paired)";
            Spread ratio = Spread.of(turns.ratios(series));
            Spread heap = Spread.of(series.costs(), Cost::heapBytes);
            if (series.provider().equals(SignatureProvider.NATIVE)) {
                table.goal(figure, ratio, RATE).goal(series.provider() + ": heap bytes each", heap, HEAP_BYTES);
            } else {
                table.note(figure, ratio).note(series.provider() + ": heap bytes each", heap);
            }
        }
    }
}
