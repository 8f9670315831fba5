package dev.postern.auth.handler;

import dev.postern.auth.spend.PendingSpend;
import dev.postern.auth.spend.SpendLatency;
import dev.postern.auth.spend.SpendResult;
import dev.postern.core.exchange.Exchange;
import dev.postern.core.exchange.Trace;
import dev.postern.core.metrics.Meters;
import dev.postern.core.metrics.StripedHistogram;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Meters of every spend check: duration, result, and the time in each part. Thread-safe. */
public final class SpendMeters {

    private static final List<String> PARTS = List.of("queue", "write", "store", "return");
    private static final int QUEUE = PARTS.indexOf("queue");
    private static final int WRITE = PARTS.indexOf("write");
    private static final int STORE = PARTS.indexOf("store");
    private static final int RETURN = PARTS.indexOf("return");

    private final StripedHistogram checks = StripedHistogram.byTag(
            Meters.SPEND,
            Arrays.stream(SpendResult.values()).map(SpendResult::label).toList());
    private final StripedHistogram parts = StripedHistogram.byTag(Meters.SPEND_PART, PARTS);
    private final Counter accepted;

    public SpendMeters(MeterRegistry registry) {
        this.accepted = Meters.LEDGER_EVENTS.counter(registry, "unknown-accepted");
    }

    /** Records a completed spend check, on the exchange's event loop; instants are of its ticker. */
    public void record(Exchange exchange, PendingSpend spend, long startNanos, long nowNanos) {
        @Nullable Trace trace = Trace.of(exchange);
        long whole = nowNanos - startNanos;
        checks.on(exchange.loop()).record(spend.result().ordinal(), whole, trace);
        SpendLatency latency = spend.times(startNanos, nowNanos);
        StripedHistogram.OnLoop mine = parts.on(exchange.loop());
        part(mine, QUEUE, latency.queue(), trace);
        part(mine, WRITE, latency.write(), trace);
        part(mine, STORE, whole - latency.queue() - latency.write() - latency.back(), trace);
        part(mine, RETURN, latency.back(), trace);
    }

    private static void part(StripedHistogram.OnLoop mine, int part, long nanos, @Nullable Trace trace) {
        if (nanos > 0) {
            mine.record(part, nanos, trace);
        }
    }

    void unknownAccepted() {
        accepted.increment();
    }

    /** Returns the histogram of {@link Meters#SPEND}. */
    public StripedHistogram checks() {
        return checks;
    }

    /** Returns the histogram of {@link Meters#SPEND_PART}. */
    public StripedHistogram parts() {
        return parts;
    }
}
