package dev.postern.core.metrics;

import dev.postern.core.exchange.Trace;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * Histogram stripe: histograms of durations that one event loop writes and any thread reads. A value costs a few plain additions, whereas a
 * timer for all threads costs 0.2 microseconds.
 *
 * <p>{@link #record} only on its own event loop, the other methods from any thread. A reader may see a value in its bucket before the value
 * is in the sum.
 */
final class HistogramStripe {

    /**
     * Upper bounds in nanoseconds, each at most 2.5 times the previous one, so that a median can be read; the last bucket has no bound.
     * Delays by a delayed acknowledgement lie between 40 and 60 ms.
     */
    private static final long[] BOUNDS = {
        25_000,
        50_000,
        75_000,
        100_000,
        150_000,
        200_000,
        300_000,
        400_000,
        500_000,
        750_000,
        1_000_000,
        2_000_000,
        5_000_000,
        10_000_000,
        20_000_000,
        40_000_000,
        60_000_000,
        100_000_000,
        200_000_000,
        500_000_000,
        1_000_000_000,
        2_000_000_000,
        5_000_000_000L,
        10_000_000_000L
    };

    private static final int SUM = BOUNDS.length + 1;
    private static final int WIDTH = SUM + 1;

    /** For each histogram the counts of all buckets, followed by the sum: cells that are written together are adjacent. */
    private final AtomicLongArray cells;

    private final AtomicReferenceArray<@Nullable TraceExemplar> exemplars;

    /** @param histograms number of histograms, identified by index */
    HistogramStripe(int histograms) {
        cells = new AtomicLongArray(histograms * WIDTH);
        exemplars = new AtomicReferenceArray<>(histograms * WIDTH);
    }

    /** Returns the upper bounds of all buckets but the last. */
    static Duration[] bounds() {
        return Arrays.stream(BOUNDS).mapToObj(Duration::ofNanos).toArray(Duration[]::new);
    }

    void record(int histogram, long nanos, @Nullable Trace trace) {
        int bucket = 0;
        while (bucket < BOUNDS.length && nanos > BOUNDS[bucket]) {
            bucket++; // most values are in the first buckets
        }
        int first = histogram * WIDTH;
        add(first + bucket, 1);
        add(first + SUM, nanos);
        if (trace != null) {
            exemplars.lazySet(first + bucket, new TraceExemplar(nanos, trace.own(), System.currentTimeMillis()));
        }
    }

    private void add(int cell, long more) {
        cells.lazySet(cell, cells.getPlain(cell) + more);
    }

    /** Returns the latest exemplar in that bucket, or null. */
    @Nullable
    TraceExemplar exemplar(int histogram, int bucket) {
        return exemplars.get(histogram * WIDTH + bucket);
    }

    /** Adds the counts of this stripe to {@code totals}, bucket by bucket. */
    void addTo(int histogram, long[] totals) {
        for (int i = 0; i < totals.length; i++) {
            totals[i] += cells.get(histogram * WIDTH + i);
        }
    }

    long sumNanos(int histogram) {
        return cells.get(histogram * WIDTH + SUM);
    }
}
