package dev.postern.app.live;

import dev.postern.app.live.LiveSample.Value;
import dev.postern.core.exchange.StageName;
import dev.postern.core.metrics.StripedHistogram;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Snapshot for the page: the current values, and the changes since the previous sample. Serialized as it is.
 *
 * @param seconds since the previous sample; 0 without one
 * @param meters rows of each meter, by its name
 * @param bounds upper bounds of the histogram buckets in seconds; the last bucket has none
 * @param stages in the order in which an exchange passes them
 * @param state documents as sampled
 */
record LiveSnapshot(
        double seconds,
        Map<String, List<Row>> meters,
        List<Double> bounds,
        List<StageRow> stages,
        Map<String, Object> state) {

    private static final double NANOS = 1e9;

    /** @param rate increase per second; null for values that are not counts, and without a previous sample */
    record Row(
            Map<String, String> tags,
            double value,
            @Nullable Double rate) {}

    /**
     * @param party that the stage waits for
     * @param count of all durations since the start
     * @param fresh durations since the previous sample, by bucket
     */
    record StageRow(String stage, String party, long count, List<Long> fresh) {}

    /** @param previous previous sample; null for none, then the snapshot contains no changes */
    static LiveSnapshot between(@Nullable LiveSample previous, LiveSample current) {
        double seconds = previous == null ? 0 : (current.nanos() - previous.nanos()) / NANOS;
        Map<String, List<Row>> meters = new TreeMap<>();
        current.values().forEach((series, value) -> {
            @Nullable Value last = previous == null ? null : previous.values().get(series);
            meters.computeIfAbsent(series.meter().meter(), name -> new ArrayList<>())
                    .add(new Row(series.tags(), value.amount(), rate(last, value, seconds)));
        });
        List<StageRow> stages = new ArrayList<>();
        current.stages().forEach((stage, times) -> {
            StripedHistogram.Times last =
                    previous == null ? times : previous.stages().getOrDefault(stage, times);
            stages.add(row(stage, last.counts(), times.counts()));
        });
        return new LiveSnapshot(seconds, meters, bounds(current), stages, current.state());
    }

    /**
     * Returns the rate of a series. A new series, or one with a smaller value than before, has restarted from zero since the previous
     * sample.
     */
    private static @Nullable Double rate(@Nullable Value previous, Value now, double seconds) {
        if (!now.grows() || seconds <= 0) {
            return null;
        }
        double from = previous == null || previous.amount() > now.amount() ? 0 : previous.amount();
        return (now.amount() - from) / seconds;
    }

    private static StageRow row(StageName stage, List<Long> previous, List<Long> now) {
        List<Long> fresh = new ArrayList<>();
        for (int bucket = 0; bucket < now.size(); bucket++) {
            fresh.add(now.get(bucket) - previous.get(bucket));
        }
        long count = now.stream().mapToLong(Long::longValue).sum();
        return new StageRow(stage.label(), stage.party().label(), count, fresh);
    }

    private static List<Double> bounds(LiveSample current) {
        return current.stages().values().stream()
                .findFirst()
                .map(StripedHistogram.Times::bounds)
                .orElse(List.of())
                .stream()
                .map(LiveSnapshot::seconds)
                .toList();
    }

    private static double seconds(Duration time) {
        return time.toNanos() / NANOS;
    }
}
