package dev.postern.core.metrics;

import dev.postern.core.exchange.Trace;
import dev.postern.core.transport.loop.EventLoopLocal;
import io.netty.channel.EventLoop;
import java.time.Duration;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Striped histogram: the histograms of one meter, whose tag values are known in advance or, up to a maximum, become known while the process
 * runs. Each event loop counts in its own stripe, and a reader adds the stripes up. A timer for all threads costs ten times as much.
 *
 * <p>Thread-safe except for {@link OnLoop}.
 */
public final class StripedHistogram {

    /** Value of all tags of the subjects beyond the maximum. */
    public static final String OTHER = "other";

    private final Meters meter;
    private final HistogramBounds bounds;
    private final List<List<String>> series;
    private final int max;
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
        this(meter, HistogramBounds.STEPS, List.copyOf(series), series.size());
    }

    private StripedHistogram(Meters meter, HistogramBounds bounds, List<List<String>> series, int max) {
        this.meter = meter;
        this.bounds = bounds;
        this.series = series;
        this.max = max;
        this.loops = new EventLoopLocal<>(loop -> new OnLoop(new HistogramStripe(bounds, max)));
    }

    /**
     * Creates a histogram without series, which {@link #subject} adds.
     *
     * @param max number of series, at least those of two subjects
     */
    public static StripedHistogram growing(Meters meter, HistogramBounds bounds, int max) {
        return new StripedHistogram(meter, bounds, new CopyOnWriteArrayList<>(), max);
    }

    /**
     * Adds the series of a subject unless they exist. The last place belongs to all subjects that find none: their tags are {@link #OTHER}.
     *
     * @param kinds values of the last tag, a series for each; empty if the subject has one series
     * @param tagValues of the tags before
     * @return the index of the first series; keep the index, since this call is slow
     */
    public synchronized int subject(List<String> kinds, String... tagValues) {
        List<List<String>> wanted = named(kinds, List.of(tagValues));
        List<List<String>> others =
                named(kinds, Arrays.stream(tagValues).map(value -> OTHER).toList());
        boolean room = series.size() + wanted.size() + others.size() <= max;
        List<List<String>> found = room || series.contains(wanted.get(0)) ? wanted : others;
        int known = series.indexOf(found.get(0));
        if (known >= 0) {
            return known;
        }
        series.addAll(found);
        return series.size() - found.size();
    }

    private static List<List<String>> named(List<String> kinds, List<String> tagValues) {
        return kinds.isEmpty()
                ? List.of(tagValues)
                : kinds.stream()
                        .map(kind -> Stream.concat(tagValues.stream(), Stream.of(kind))
                                .toList())
                        .toList();
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
        long[] counts = new long[bounds.buckets()];
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
        return new Times(bounds.durations(), LongStream.of(counts).boxed().toList(), Duration.ofNanos(sum), examples);
    }

    /** Stripe of one event loop; for that loop only. */
    public static final class OnLoop {

        private final HistogramStripe all;

        private OnLoop(HistogramStripe all) {
            this.all = all;
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
