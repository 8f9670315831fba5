package dev.postern.core.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class BucketsTest {

    private final Buckets buckets = new Buckets();

    private long[] counts() {
        long[] counts = new long[Buckets.bounds().length + 1];
        buckets.addTo(counts);
        return counts;
    }

    @Test
    void aTimeFallsIntoTheFirstBucketThatIsNotBelowIt() {
        Duration[] bounds = Buckets.bounds();
        for (int i = 0; i < bounds.length; i++) {
            buckets.record(bounds[i].toNanos());
            assertThat(counts()[i]).as("up to %s", bounds[i]).isEqualTo(1);
        }
        buckets.record(bounds[bounds.length - 1].toNanos() + 1);
        assertThat(counts()).containsOnly(1);
    }

    @Test
    void sumsWhatWasRecorded() {
        buckets.record(7);
        buckets.record(Duration.ofMinutes(1).toNanos());
        assertThat(buckets.sumNanos()).isEqualTo(Duration.ofMinutes(1).toNanos() + 7);
    }

    @Test
    void severalAreAddedUp() {
        buckets.record(1);
        long[] totals = new long[Buckets.bounds().length + 1];
        buckets.addTo(totals);
        buckets.addTo(totals);
        assertThat(totals[0]).isEqualTo(2);
    }
}
