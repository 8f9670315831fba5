package dev.postern.core.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.core.exchange.Trace;
import dev.postern.core.exchange.TraceContext;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class HistogramStripeTest {

    private static final int ONE = 1;

    private final HistogramStripe stripe = new HistogramStripe(HistogramBounds.STEPS, 3);

    private long[] counts() {
        long[] counts = new long[HistogramBounds.STEPS.buckets()];
        stripe.addTo(ONE, counts);
        return counts;
    }

    @Test
    void aTimeFallsIntoTheFirstBucketThatContainsIt() {
        List<Duration> bounds = HistogramBounds.STEPS.durations();
        for (int i = 0; i < bounds.size(); i++) {
            stripe.record(ONE, bounds.get(i).toNanos(), null);
            assertThat(counts()[i]).as("up to %s", bounds.get(i)).isEqualTo(1);
        }
        stripe.record(ONE, bounds.get(bounds.size() - 1).toNanos() + 1, null);
        assertThat(counts()).containsOnly(1);
    }

    @Test
    void limitsTheWidthOfBuckets() {
        List<Duration> bounds = HistogramBounds.STEPS.durations();
        assertThat(bounds.get(0)).isEqualTo(Duration.ofNanos(25_000));
        assertThat(bounds.get(bounds.size() - 1)).isEqualTo(Duration.ofSeconds(10));
        for (int i = 1; i < bounds.size(); i++) {
            assertThat(bounds.get(i))
                    .isBetween(
                            bounds.get(i - 1), bounds.get(i - 1).multipliedBy(5).dividedBy(2));
        }
    }

    @Test
    void sumsRecordedTimes() {
        stripe.record(ONE, 7, null);
        stripe.record(ONE, Duration.ofMinutes(1).toNanos(), null);
        assertThat(stripe.sumNanos(ONE)).isEqualTo(Duration.ofMinutes(1).toNanos() + 7);
    }

    @Test
    void histogramsAreIndependent() {
        long maxMicros = Duration.ofMinutes(1).toNanos();
        stripe.record(0, maxMicros, trace(1));
        stripe.record(2, maxMicros, trace(1));

        assertThat(counts()).containsOnly(0);
        assertThat(stripe.sumNanos(ONE)).isZero();
        int last = HistogramBounds.STEPS.buckets() - 1;
        assertThat(stripe.exemplar(ONE, last)).isNull();
        assertThat(stripe.exemplar(2, last)).isNotNull();
        assertThat(stripe.sumNanos(2)).isEqualTo(maxMicros);
    }

    @Test
    void addsSeveralStripes() {
        stripe.record(ONE, 1, null);
        long[] totals = new long[HistogramBounds.STEPS.buckets()];
        stripe.addTo(ONE, totals);
        stripe.addTo(ONE, totals);
        assertThat(totals[0]).isEqualTo(2);
    }

    @Test
    void eachBucketKeepsItsNewestExemplar() {
        Trace first = trace(1);
        Trace second = trace(2);

        stripe.record(ONE, 60_000, null);
        stripe.record(ONE, 60_000, first);
        stripe.record(ONE, 70_000, second);
        stripe.record(ONE, 80_000, first);
        stripe.record(ONE, 65_000, null);

        assertThat(stripe.exemplar(ONE, 0)).isNull();
        assertThat(stripe.exemplar(ONE, 1)).isNull();
        TraceExemplar third = stripe.exemplar(ONE, 2);
        assertThat(third).isNotNull();
        assertThat(third.nanos()).isEqualTo(70_000);
        assertThat(third.span()).isEqualTo(second.own());
        TraceExemplar fourth = stripe.exemplar(ONE, 3);
        assertThat(fourth).isNotNull();
        assertThat(fourth.nanos()).isEqualTo(80_000);
        assertThat(fourth.span()).isEqualTo(first.own());
    }

    @Test
    void showsTheNewerOfTwoExemplars() {
        TraceExemplar older = new TraceExemplar(1, trace(1).own(), 1000);
        TraceExemplar newer = new TraceExemplar(2, trace(2).own(), 1001);

        assertThat(TraceExemplar.newer(older, newer)).isSameAs(newer);
        assertThat(TraceExemplar.newer(newer, older)).isSameAs(newer);
        assertThat(TraceExemplar.newer(null, older)).isSameAs(older);
        assertThat(TraceExemplar.newer(older, null)).isSameAs(older);
        assertThat(TraceExemplar.newer(null, null)).isNull();
    }

    private static Trace trace(long id) {
        TraceContext context = new TraceContext(id, id, id, TraceContext.SAMPLED);
        return new Trace(context, 0, context.with(id + 100));
    }
}
