package dev.postern.core.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.core.exchange.Trace;
import dev.postern.core.exchange.TraceContext;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class BucketsTest {

    private static final int ONE = 1;

    private final Buckets buckets = new Buckets(3);

    private long[] counts() {
        long[] counts = new long[Buckets.bounds().length + 1];
        buckets.addTo(ONE, counts);
        return counts;
    }

    @Test
    void aTimeFallsIntoTheFirstBucketThatIsNotBelowIt() {
        Duration[] bounds = Buckets.bounds();
        for (int i = 0; i < bounds.length; i++) {
            buckets.record(ONE, bounds[i].toNanos(), null);
            assertThat(counts()[i]).as("up to %s", bounds[i]).isEqualTo(1);
        }
        buckets.record(ONE, bounds[bounds.length - 1].toNanos() + 1, null);
        assertThat(counts()).containsOnly(1);
    }

    @Test
    void noBucketIsSoWideThatAMedianInItSaysNothing() {
        Duration[] bounds = Buckets.bounds();
        assertThat(bounds[0]).isEqualTo(Duration.ofNanos(25_000));
        assertThat(bounds[bounds.length - 1]).isEqualTo(Duration.ofSeconds(10));
        for (int i = 1; i < bounds.length; i++) {
            assertThat(bounds[i])
                    .isBetween(bounds[i - 1], bounds[i - 1].multipliedBy(5).dividedBy(2));
        }
    }

    @Test
    void sumsWhatWasRecorded() {
        buckets.record(ONE, 7, null);
        buckets.record(ONE, Duration.ofMinutes(1).toNanos(), null);
        assertThat(buckets.sumNanos(ONE)).isEqualTo(Duration.ofMinutes(1).toNanos() + 7);
    }

    @Test
    void eachHistogramHasItsOwn() {
        long most = Duration.ofMinutes(1).toNanos();
        buckets.record(0, most, trace(1));
        buckets.record(2, most, trace(1));

        assertThat(counts()).containsOnly(0);
        assertThat(buckets.sumNanos(ONE)).isZero();
        int last = Buckets.bounds().length;
        assertThat(buckets.example(ONE, last)).isNull();
        assertThat(buckets.example(2, last)).isNotNull();
        assertThat(buckets.sumNanos(2)).isEqualTo(most);
    }

    @Test
    void severalAreAddedUp() {
        buckets.record(ONE, 1, null);
        long[] totals = new long[Buckets.bounds().length + 1];
        buckets.addTo(ONE, totals);
        buckets.addTo(ONE, totals);
        assertThat(totals[0]).isEqualTo(2);
    }

    @Test
    void eachBucketKeepsItsNewestTracedTime() {
        Trace first = trace(1);
        Trace second = trace(2);

        buckets.record(ONE, 60_000, null);
        buckets.record(ONE, 60_000, first);
        buckets.record(ONE, 70_000, second);
        buckets.record(ONE, 80_000, first);
        buckets.record(ONE, 65_000, null);

        assertThat(buckets.example(ONE, 0)).isNull();
        assertThat(buckets.example(ONE, 1)).isNull();
        Example third = buckets.example(ONE, 2);
        assertThat(third).isNotNull();
        assertThat(third.nanos()).isEqualTo(70_000);
        assertThat(third.span()).isEqualTo(second.own());
        Example fourth = buckets.example(ONE, 3);
        assertThat(fourth).isNotNull();
        assertThat(fourth.nanos()).isEqualTo(80_000);
        assertThat(fourth.span()).isEqualTo(first.own());
    }

    @Test
    void ofTwoExamplesTheNewerOneIsShown() {
        Example older = new Example(1, trace(1).own(), 1000);
        Example newer = new Example(2, trace(2).own(), 1001);

        assertThat(Example.newer(older, newer)).isSameAs(newer);
        assertThat(Example.newer(newer, older)).isSameAs(newer);
        assertThat(Example.newer(null, older)).isSameAs(older);
        assertThat(Example.newer(older, null)).isSameAs(older);
        assertThat(Example.newer(null, null)).isNull();
    }

    private static Trace trace(long id) {
        TraceContext context = new TraceContext(id, id, id, TraceContext.SAMPLED);
        return new Trace(context, 0, context.with(id + 100));
    }
}
