package dev.postern.app;

import dev.postern.core.exchange.Stage;
import dev.postern.core.metrics.Meters;
import dev.postern.core.metrics.StageTimes;
import io.prometheus.metrics.model.registry.Collector;
import io.prometheus.metrics.model.snapshots.ClassicHistogramBuckets;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot.HistogramDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import io.prometheus.metrics.model.snapshots.Unit;
import java.time.Duration;

/** Shows {@link StageTimes} as the histogram that Prometheus makes of a timer; added up from all event loops at each scrape. */
final class StageHistogram implements Collector {

    private static final String NAME = Meters.STAGE.meter().replace('.', '_') + "_seconds";

    private final StageTimes times;

    StageHistogram(StageTimes times) {
        this.times = times;
    }

    @Override
    public MetricSnapshot collect() {
        HistogramSnapshot.Builder all =
                HistogramSnapshot.builder().name(NAME).unit(Unit.SECONDS).help(Meters.STAGE.description());
        for (Stage stage : Stage.values()) {
            all.dataPoint(point(stage));
        }
        return all.build();
    }

    private HistogramDataPointSnapshot point(Stage stage) {
        StageTimes.Times of = times.of(stage);
        ClassicHistogramBuckets.Builder buckets = ClassicHistogramBuckets.builder();
        for (int i = 0; i < of.counts().size(); i++) {
            double end = i < of.bounds().size() ? seconds(of.bounds().get(i)) : Double.POSITIVE_INFINITY;
            buckets.bucket(end, of.counts().get(i));
        }
        return HistogramDataPointSnapshot.builder()
                .classicHistogramBuckets(buckets.build())
                .sum(seconds(of.sum()))
                .labels(Labels.of(Meters.STAGE.tagKeys().get(0), stage.label()))
                .build();
    }

    private static double seconds(Duration time) {
        return time.toNanos() / 1e9;
    }
}
