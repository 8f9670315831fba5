package dev.postern.core.metrics;

import dev.postern.core.exchange.Trace;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * Histograms of times that one event loop writes and anybody reads: a few plain additions for each value, where a timer for all threads
 * costs a fifth of a microsecond.
 *
 * <p>{@link #record} only on its own loop, the others from any thread. A reader may see a value in its bucket and not yet in the sum.
 */
final class HistogramStripe {

    /**
     * Upper ends in nanoseconds, each at most two and a half times the one before, so that a median can be read; the last bucket has none. What
     * a delayed acknowledgement makes lies between 40 and 60 ms.
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

    /** Of each histogram the counts of all buckets and behind them the sum: what is written together lies together. */
    private final AtomicLongArray cells;

    private final AtomicReferenceArray<@Nullable TraceExemplar> examples;

    /** @param histograms how many there are, known by their numbers */
    HistogramStripe(int histograms) {
        cells = new AtomicLongArray(histograms * WIDTH);
        examples = new AtomicReferenceArray<>(histograms * WIDTH);
    }

    /** Upper ends of all buckets but the last. */
    static Duration[] bounds() {
        return Arrays.stream(BOUNDS).mapToObj(Duration::ofNanos).toArray(Duration[]::new);
    }

    void record(int histogram, long nanos, @Nullable Trace trace) {
        int bucket = 0;
        while (bucket < BOUNDS.length && nanos > BOUNDS[bucket]) {
            bucket++; // most are in the first ones
        }
        int first = histogram * WIDTH;
        add(first + bucket, 1);
        add(first + SUM, nanos);
        if (trace != null) {
            examples.lazySet(first + bucket, new TraceExemplar(nanos, trace.own(), System.currentTimeMillis()));
        }
    }

    private void add(int cell, long more) {
        cells.lazySet(cell, cells.getPlain(cell) + more);
    }

    /** The newest one of a traced exchange in that bucket, or null. */
    @Nullable
    TraceExemplar example(int histogram, int bucket) {
        return examples.get(histogram * WIDTH + bucket);
    }

    /** Adds what was counted here to {@code totals}, bucket by bucket. */
    void addTo(int histogram, long[] totals) {
        for (int i = 0; i < totals.length; i++) {
            totals[i] += cells.get(histogram * WIDTH + i);
        }
    }

    long sumNanos(int histogram) {
        return cells.get(histogram * WIDTH + SUM);
    }
}
