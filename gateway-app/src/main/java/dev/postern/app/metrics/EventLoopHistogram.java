package dev.postern.app.metrics;

import dev.postern.core.metrics.StripedHistogram;
import dev.postern.core.metrics.TraceExemplar;
import io.prometheus.metrics.model.registry.Collector;
import io.prometheus.metrics.model.snapshots.ClassicHistogramBuckets;
import io.prometheus.metrics.model.snapshots.Exemplar;
import io.prometheus.metrics.model.snapshots.Exemplars;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot.HistogramDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import io.prometheus.metrics.model.snapshots.Unit;
import java.time.Duration;
import java.util.List;

/** Exports a {@link StripedHistogram} in the form of a Prometheus timer histogram, added up over all event loops at each scrape. */
public final class EventLoopHistogram implements Collector {

    private final StripedHistogram histogram;

    public EventLoopHistogram(StripedHistogram histogram) {
        this.histogram = histogram;
    }

    @Override
    public MetricSnapshot collect() {
        HistogramSnapshot.Builder all = HistogramSnapshot.builder()
                .name(histogram.meter().meter().replace('.', '_') + "_seconds")
                .unit(Unit.SECONDS)
                .help(histogram.meter().description());
        for (int i = 0; i < histogram.series().size(); i++) {
            all.dataPoint(point(histogram.series().get(i), histogram.of(i)));
        }
        return all.build();
    }

    private HistogramDataPointSnapshot point(List<String> tagValues, StripedHistogram.Times of) {
        ClassicHistogramBuckets.Builder buckets = ClassicHistogramBuckets.builder();
        for (int i = 0; i < of.counts().size(); i++) {
            double end = i < of.bounds().size() ? seconds(of.bounds().get(i)) : Double.POSITIVE_INFINITY;
            buckets.bucket(end, of.counts().get(i));
        }
        return HistogramDataPointSnapshot.builder()
                .classicHistogramBuckets(buckets.build())
                .sum(seconds(of.sum()))
                .exemplars(Exemplars.of(of.exemplars().stream()
                        .map(EventLoopHistogram::exemplar)
                        .toList()))
                .labels(Labels.of(histogram.meter().tagKeys(), tagValues))
                .build();
    }

    /**
     * Converts an exemplar. Only scrapes in the OpenMetrics format contain exemplars; the writer puts each beside the bucket of its value.
     */
    private static Exemplar exemplar(TraceExemplar traceExemplar) {
        return Exemplar.builder()
                .value(traceExemplar.nanos() / 1e9)
                .traceId(traceExemplar.span().traceId())
                .spanId(traceExemplar.span().spanId())
                .timestampMillis(traceExemplar.atMillis())
                .build();
    }

    private static double seconds(Duration time) {
        return time.toNanos() / 1e9;
    }
}
