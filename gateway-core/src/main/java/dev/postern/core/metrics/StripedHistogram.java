package dev.postern.core.metrics;

import dev.postern.core.exchange.Trace;
import dev.postern.core.transport.loop.EventLoopLocal;
import io.netty.channel.EventLoop;
import java.time.Duration;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Striped histogram: the histograms of one meter whose tag values are known in advance. Each event loop counts in its own stripe, and a
 * reader adds the stripes up. A timer for all threads costs ten times as much.
 *
 * <p>Thread-safe except for {@link OnLoop}.
 */
public final class StripedHistogram {

    private static final List<Duration> BOUNDS = List.of(HistogramStripe.bounds());

    private final Meters meter;
    private final List<List<String>> series;
    private final EventLoopLocal<OnLoop> loops;

    /**
     * Durations of one series up to now.
     *
     * @param bounds upper bounds of the buckets; the last bucket has none
     * @param counts number of durations in each bucket, one entry more than {@code bounds}
     * @param sum sum of all durations
     * @param exemplars the latest exemplar of each bucket that has one
     */
    public record Times(List<Duration> bounds, List<Long> counts, Duration sum, List<TraceExemplar> exemplars) {

        public long count() {
            return counts.stream().mapToLong(Long::longValue).sum();
        }

        /** Returns the number of durations up to that bound, which must be one of the bounds. */
        public long within(Duration bound) {
            int last = bounds.indexOf(bound);
            if (last < 0) {
                throw new IllegalArgumentException("bound: " + bound + " (expected: one of " + bounds + ")");
            }
            return counts.stream().limit(last + 1).mapToLong(Long::longValue).sum();
        }
    }

    /** @param series values of all tags of the meter, for each histogram */
    public StripedHistogram(Meters meter, List<List<String>> series) {
        this.meter = meter;
        this.series = List.copyOf(series);
        this.loops = new EventLoopLocal<>(loop -> new OnLoop(series.size()));
    }

    /** Creates the histogram of a meter with one tag. */
    public static StripedHistogram byTag(Meters meter, Collection<String> values) {
        return new StripedHistogram(meter, values.stream().map(List::of).toList());
    }

    public Meters meter() {
        return meter;
    }

    /** Returns the values of all tags of each series, in the order of the meter's tags. */
    public List<List<String>> series() {
        return series;
    }

    /** Returns the stripe of that event loop; call and use on that loop only. */
    public OnLoop on(EventLoop loop) {
        return loops.get(loop);
    }

    /** @param tagValues as in {@link #series} */
    public Times of(String... tagValues) {
        int index = series.indexOf(List.of(tagValues));
        if (index < 0) {
            throw new IllegalArgumentException(
                    meter.meter() + ": " + List.of(tagValues) + " (expected: one of " + series + ")");
        }
        return of(index);
    }

    /** @param index in {@link #series} */
    public Times of(int index) {
        long[] counts = new long[BOUNDS.size() + 1];
        long sum = 0;
        @Nullable TraceExemplar[] newest = new TraceExemplar[counts.length];
        for (OnLoop loop : loops.all()) {
            loop.all.addTo(index, counts);
            sum += loop.all.sumNanos(index);
            for (int i = 0; i < newest.length; i++) {
                newest[i] = TraceExemplar.newer(newest[i], loop.all.exemplar(index, i));
            }
        }
        List<TraceExemplar> examples =
                Arrays.stream(newest).flatMap(Stream::ofNullable).toList();
        return new Times(BOUNDS, LongStream.of(counts).boxed().toList(), Duration.ofNanos(sum), examples);
    }

    /** Stripe of one event loop; for that loop only. */
    public static final class OnLoop {

        private final HistogramStripe all;

        private OnLoop(int series) {
            all = new HistogramStripe(series);
        }

        /**
         * Records a duration.
         *
         * @param index in {@link #series}
         * @param trace trace of the exchange with this duration, or null
         */
        public void record(int index, long nanos, @Nullable Trace trace) {
            all.record(index, nanos, trace);
        }
    }
}
