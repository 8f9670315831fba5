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
 * The histograms of one meter whose tag values are known before: counted on each event loop by itself, and added up when somebody reads
 * them. A timer for all threads costs ten times as much.
 *
 * <p>Thread-safe but for {@link OnLoop}.
 */
public final class StripedHistogram {

    private static final List<Duration> BOUNDS = List.of(HistogramStripe.bounds());

    private final Meters meter;
    private final List<List<String>> series;
    private final EventLoopLocal<OnLoop> loops;

    /**
     * The times of one series up to now.
     *
     * @param bounds upper ends of the buckets; the last one has none
     * @param counts how many times fell into each bucket, one more than bounds
     * @param sum of all times
     * @param examples the newest one of a traced exchange in each bucket that has one
     */
    public record Times(List<Duration> bounds, List<Long> counts, Duration sum, List<TraceExemplar> examples) {

        public long count() {
            return counts.stream().mapToLong(Long::longValue).sum();
        }

        /** How many took no longer than that, which must be one of the bounds. */
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

    /** Of a meter with one tag. */
    public static StripedHistogram byTag(Meters meter, Collection<String> values) {
        return new StripedHistogram(meter, values.stream().map(List::of).toList());
    }

    public Meters meter() {
        return meter;
    }

    /** Values of all tags, in the order of the meter's. */
    public List<List<String>> series() {
        return series;
    }

    /** Where that loop writes; to be asked and used on it. */
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
                newest[i] = TraceExemplar.newer(newest[i], loop.all.example(index, i));
            }
        }
        List<TraceExemplar> examples =
                Arrays.stream(newest).flatMap(Stream::ofNullable).toList();
        return new Times(BOUNDS, LongStream.of(counts).boxed().toList(), Duration.ofNanos(sum), examples);
    }

    /** One loop's own; only for it. */
    public static final class OnLoop {

        private final HistogramStripe all;

        private OnLoop(int series) {
            all = new HistogramStripe(series);
        }

        /**
         * @param index in {@link #series}
         * @param trace that of the exchange whose time it was, or null
         */
        public void record(int index, long nanos, @Nullable Trace trace) {
            all.record(index, nanos, trace);
        }
    }
}
