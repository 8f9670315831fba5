package dev.postern.app.cli;

import dev.postern.app.config.type.Span;
import java.io.PrintWriter;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Computes the memory that the ledger will need. */
@Command(
        name = "size",
        description = "Memory that the spend ledger needs at a rate of tokens.",
        footer = {"  postern size --rate 5000", "  postern size --rate 5000 --challenge-window 1h --json"})
@SuppressWarnings("NullAway.Init") // picocli sets what it injects before the command runs
final class SizeCommand implements Callable<Integer> {

    /** One spend in memcached 1.6, slabs included; measured with 500,000 spends, namespace default. */
    private static final int MEMCACHED_BYTES = 122;

    /** One spend in the embedded ledger: 16 bytes a slot, tables that are half full and double when they grow. */
    private static final int EMBEDDED_BYTES = 64;

    private static final double SPARE = 1.5;

    @Spec
    private CommandSpec spec;

    @Option(names = "--rate", required = true, paramLabel = "N", description = "Tokens spent per second.")
    private long rate;

    @Option(
            names = "--challenge-window",
            defaultValue = "10m",
            description = "As configured; default: ${DEFAULT-VALUE}.")
    private String window = "10m";

    @Option(names = "--clock-skew", defaultValue = "30s", description = "As configured; default: ${DEFAULT-VALUE}.")
    private String skew = "30s";

    @Option(names = "--json", description = "Print JSON.")
    private boolean json;

    @Override
    public Integer call() {
        if (rate < 1 || rate > 100_000_000) {
            throw new IllegalArgumentException("--rate: " + rate + " (expected: 1..100000000)");
        }
        // A challenge is accepted in its window and the next one, give or take the skew.
        double seconds =
                (2.0 * Texts.read("--challenge-window", window, Span::of).nanos()
                                + Texts.read("--clock-skew", skew, Span::of).nanos())
                        / 1e9;
        long spends = Math.round(rate * seconds);
        long memcached = Math.round(spends * MEMCACHED_BYTES * SPARE);
        long embedded = spends * EMBEDDED_BYTES;
        PrintWriter out = spec.commandLine().getOut();
        if (json) {
            out.println(Json.text(Map.of("spends", spends, "memcached-bytes", memcached, "embedded-bytes", embedded)));
            return 0;
        }
        out.printf("%,d tokens per second are remembered for %,.0f s: %,d spends at once%n", rate, seconds, spends);
        out.printf("  memcached   -m %,d (MiB, half as much again for spare; run it with -M)%n", mebi(memcached));
        out.printf("  embedded    ledger.embedded.max-memory: %dMiB%n", mebi(embedded));
        return 0;
    }

    private static long mebi(long bytes) {
        return Math.max(1, (bytes + (1 << 20) - 1) >> 20);
    }
}
