package dev.postern.app.context;

import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.function.Supplier;

/**
 * Latency of spend checks, over all checks. A mean near 40 ms at any rate indicates Nagle's algorithm with delayed acknowledgements
 * (TCP_DELACK_MIN of Linux).
 */
final class LedgerLatency implements ContextSource {

    /** Upper limit for the median of checks; a bucket boundary of the meter. */
    static final Duration SLOW = Duration.ofMillis(5);

    private static final double SIGNATURE_FROM = 38;
    private static final double SIGNATURE_TO = 60;
    private static final int LEAST = 20;

    private final Supplier<Spends> spends;
    private final Debounce debounce = new Debounce();
    private Spends last;
    private double mean = Double.NaN;
    private boolean slow;

    /**
     * Spends checked since the start.
     *
     * @param slow checks that took longer than {@link #SLOW}
     */
    record Spends(double count, double slow, double totalMillis) {}

    LedgerLatency(Supplier<Spends> spends) {
        this.spends = spends;
        this.last = spends.get();
    }

    @Override
    public List<ContextItem> items() {
        check(spends.get());
        return List.of(ContextItem.state(
                "ledger.latency-ms",
                "half within " + SLOW.toMillis(),
                Double.isNaN(mean) ? "" : String.format(Locale.ROOT, "%.1f", mean),
                !slow,
                advice()));
    }

    private void check(Spends now) {
        double count = now.count() - last.count();
        if (count >= LEAST) {
            mean = (now.totalMillis() - last.totalMillis()) / count;
            slow = debounce.after((now.slow() - last.slow()) * 2 > count);
            last = now;
        }
    }

    private String advice() {
        return mean >= SIGNATURE_FROM && mean <= SIGNATURE_TO
                ? "The 40 ms signature: commands in several segments wait for delayed acknowledgements, unless the server is that far"
                        + " away. See segments-per-command and tcp-no-delay of the ledger here, and a round trip from this machine."
                : "Look at the store, its processor time and swap, and at a round trip from this machine.";
    }
}
