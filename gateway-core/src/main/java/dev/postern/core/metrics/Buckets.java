package dev.postern.core.metrics;

import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * A histogram of times that one event loop writes and anybody reads: a few plain additions for each value, where a timer for all threads
 * costs a fifth of a microsecond.
 *
 * <p>{@link #record} only on its own loop, the others from any thread. A reader may see a value in its bucket and not yet in the sum.
 */
final class Buckets {

    /** Upper ends in nanoseconds, fine enough that a median below 1 ms can be read; the last bucket has none. */
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
        40_000_000,
        100_000_000,
        1_000_000_000,
        10_000_000_000L
    };

    private final AtomicLongArray counts = new AtomicLongArray(BOUNDS.length + 1);
    private final AtomicLong sum = new AtomicLong();

    /** Upper ends of all buckets but the last. */
    static Duration[] bounds() {
        return Arrays.stream(BOUNDS).mapToObj(Duration::ofNanos).toArray(Duration[]::new);
    }

    void record(long nanos) {
        int bucket = 0;
        while (bucket < BOUNDS.length && nanos > BOUNDS[bucket]) {
            bucket++; // most are in the first ones
        }
        counts.lazySet(bucket, counts.getPlain(bucket) + 1);
        sum.lazySet(sum.getPlain() + nanos);
    }

    /** Adds what was counted here to {@code totals}, bucket by bucket. */
    void addTo(long[] totals) {
        for (int i = 0; i < totals.length; i++) {
            totals[i] += counts.get(i);
        }
    }

    long sumNanos() {
        return sum.get();
    }
}
