package dev.postern.load.bench;

import dev.postern.auth.verify.SignatureProvider;
import dev.postern.load.measure.Goal;
import dev.postern.load.measure.Table;
import dev.postern.load.proxies.PaceOptions;
import dev.postern.load.server.RunFolder;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/**
 * Measures the signature checks per second of one core with each provider, beside {@code openssl speed} in alternating
 * turns.
 */
@Command(
        name = "verify",
        description = "Signature checks per second and core with each provider, beside openssl speed rsa2048.")
final class VerifyBench implements Callable<Integer> {
    /** Checks of the native provider, as a multiple of OpenSSL's verifications. */
    private static final Goal RATE = Goal.atLeast(0.92);

    private static final Goal HEAP_BYTES = Goal.atMost(300);

    @Mixin
    PaceOptions options = new PaceOptions(10, 2, 2);

    @Override
    public Integer call() {
        Table table = new Table();
        List<String> providers = SignatureProvider.names().stream()
                .filter(provider -> loads(provider, table))
                .toList();
        try (RunFolder folder = RunFolder.create("verify")) {
            Table.Rows<VerifyRound> rows = table.of(VerifyRound.take(folder, options.pace(), providers));
            rows.note("openssl speed rsa2048, raw verifications/s", VerifyRound::openssl);
            for (String provider : providers) {
                boolean decides = provider.equals(SignatureProvider.NATIVE);
                rows.note(provider + ": token signatures/s", round -> round.perSecond(provider))
                        .goal(provider + " / openssl (paired)", round -> round.ratio(provider), decides ? RATE : null)
                        .goal(
                                provider + ": heap bytes each",
                                round -> round.heapBytes(provider),
                                decides ? HEAP_BYTES : null);
            }
            return table.print();
        }
    }

    /** Returns whether the provider works on this machine, and adds a row if it does not. */
    private static boolean loads(String provider, Table table) {
        try {
            SignatureProvider.named(provider);
            return true;
        } catch (IllegalStateException e) {
            String reason = "not on this machine: " + e.getMessage();
            if (provider.equals(SignatureProvider.NATIVE)) {
                table.verdict(provider, reason, "loads", false);
            } else {
                table.note(provider, reason);
            }
            return false;
        }
    }
}
