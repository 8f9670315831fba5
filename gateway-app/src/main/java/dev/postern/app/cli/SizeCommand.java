package dev.postern.app.cli;

import dev.postern.app.cli.option.OptionParsers;
import dev.postern.app.cli.option.WrongArgument;
import dev.postern.auth.spend.StoreSizing;
import dev.postern.core.config.DurationText;
import java.io.PrintWriter;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Command that computes the memory that the spend ledger needs. */
@Command(
        name = "size",
        description =
                "Computes the memory that the spend ledger needs at a rate of tokens, for each store, and that of idle tunnels.",
        footer = {
            "  postern size --rate 5000",
            "  postern size --rate 5000 --challenge-window 1h --json",
            "  postern size --rate 5 --tunnels 10000"
        })
@SuppressWarnings("NullAway.Init") // picocli sets what it injects before the command runs
final class SizeCommand implements Callable<Integer> {

    /** Factor of spare memory beyond the computed need, for peak hours. */
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

    @Option(names = "--tunnels", paramLabel = "N", description = "Tunnels that are open and idle at once.")
    private long tunnels;

    @Option(names = "--json", description = "Print JSON.")
    private boolean json;

    @Override
    public Integer call() {
        if (rate < 1 || rate > 100_000_000) {
            throw new WrongArgument("--rate: " + rate + " (expected: 1..100000000)");
        }
        if (tunnels < 0 || tunnels > 100_000_000) {
            throw new WrongArgument("--tunnels: " + tunnels + " (expected: 0..100000000)");
        }
        // A challenge is accepted in its window and the next one, plus the skew on both sides.
        double seconds = (2.0
                                * OptionParsers.read("--challenge-window", window, DurationText::parse)
                                        .toNanos()
                        + OptionParsers.read("--clock-skew", skew, DurationText::parse)
                                .toNanos())
                / 1e9;
        long spends = Math.round(rate * seconds);
        PrintWriter out = spec.commandLine().getOut();
        if (json) {
            Map<String, Long> numbers = new LinkedHashMap<>();
            numbers.put("spends", spends);
            for (StoreSizing store : StoreSizing.values()) {
                numbers.put(store.name().toLowerCase(Locale.ROOT) + "-bytes", bytes(store, spends));
            }
            for (TunnelSizing kind : TunnelSizing.values()) {
                numbers.put(kind.label() + "-tunnel-bytes", bytes(kind));
            }
            out.println(Json.text(numbers));
            return 0;
        }
        out.printf("%,d tokens per second, each stored for %,.0f s: %,d spends in the ledger%n", rate, seconds, spends);
        out.printf("  memcached   -m %d for each copy (MiB; run it with -M)%n", mebi(StoreSizing.MEMCACHED, spends));
        out.printf("  redis       maxmemory %dmb (maxmemory-policy noeviction)%n", mebi(StoreSizing.REDIS, spends));
        out.printf("  embedded    ledger.embedded.max-memory: %dMiB%n", mebi(StoreSizing.EMBEDDED, spends));
        out.printf("  journal     %d MiB of disk%n", mebi(StoreSizing.JOURNAL, spends));
        if (tunnels > 0) {
            out.printf("%,d idle tunnels, in the memory of the gateway%n", tunnels);
            for (TunnelSizing kind : TunnelSizing.values()) {
                out.printf("  %-11s %d MiB%n", kind.label(), mebi(bytes(kind)));
            }
        }
        out.println("These numbers are 1.5 times the measured need; see docs/capacity.md.");
        return 0;
    }

    private static long bytes(StoreSizing store, long spends) {
        return Math.round(spends * store.bytes() * SPARE);
    }

    private long bytes(TunnelSizing kind) {
        return Math.round(tunnels * kind.bytes() * SPARE);
    }

    private static long mebi(StoreSizing store, long spends) {
        return mebi(bytes(store, spends));
    }

    private static long mebi(long bytes) {
        return Math.max(1, (bytes + (1 << 20) - 1) >> 20);
    }

    /** Sizing of tunnels: resident bytes of the gateway for each idle one, the most of three rounds of {@code load-tests/bench tunnels}. */
    enum TunnelSizing {
        /** CONNECT over HTTP/1.1. */
        TCP("tcp", 5_700),
        /** CONNECT-UDP over HTTP/1.1. */
        UDP("udp", 6_200),
        /** CONNECT over HTTP/2, on connections with 100 streams each. */
        STREAM("http2-stream", 2_800);

        private final String label;
        private final int bytes;

        TunnelSizing(String label, int bytes) {
            this.label = label;
            this.bytes = bytes;
        }

        String label() {
            return label;
        }

        int bytes() {
            return bytes;
        }
    }
}
