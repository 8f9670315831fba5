package dev.postern.core.metrics;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;

/** Upper bounds of the buckets of histograms; the last bucket of each has no bound. */
public enum HistogramBounds {
    /**
     * For steps inside the gateway and calls to stores: each bound is at most 2.5 times the previous one, so that a median can be read. Delays
     * by a delayed acknowledgement lie between 40 and 60 ms.
     */
    STEPS(
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
            10_000_000_000L),

    /** For exchanges and responses of upstreams: what a person notices; few bounds, since each route has a histogram of its own. */
    EXCHANGES(
            5_000_000,
            10_000_000,
            25_000_000,
            50_000_000,
            100_000_000,
            250_000_000,
            500_000_000,
            1_000_000_000,
            2_500_000_000L,
            5_000_000_000L,
            10_000_000_000L,
            30_000_000_000L,
            60_000_000_000L);

    private final long[] nanos;

    HistogramBounds(long... nanos) {
        this.nanos = nanos;
    }

    /** Returns the upper bounds of all buckets but the last. */
    List<Duration> durations() {
        return Arrays.stream(nanos).mapToObj(Duration::ofNanos).toList();
    }

    /** Returns the bucket of a time. */
    int bucket(long time) {
        int bucket = 0;
        while (bucket < nanos.length && time > nanos[bucket]) {
            bucket++; // most values are in the first buckets
        }
        return bucket;
    }

    /** Returns the number of buckets. */
    int buckets() {
        return nanos.length + 1;
    }
}
