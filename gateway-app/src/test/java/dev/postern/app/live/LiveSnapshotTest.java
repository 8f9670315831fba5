package dev.postern.app.live;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.app.live.LiveSample.Series;
import dev.postern.app.live.LiveSample.Value;
import dev.postern.app.live.LiveSnapshot.Row;
import dev.postern.core.exchange.StageName;
import dev.postern.core.metrics.Meters;
import dev.postern.core.metrics.StripedHistogram.Times;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class LiveSnapshotTest {

    private static final Series FRESH = new Series(Meters.SPEND, Map.of("result", "fresh"));
    private static final Series SPENT = new Series(Meters.SPEND, Map.of("result", "spent"));
    private static final Series OPEN = new Series(Meters.CONNECTIONS, Map.of());
    private static final List<Duration> BOUNDS = List.of(Duration.ofNanos(25_000), Duration.ofMillis(2));

    private static LiveSample reading(double seconds, Map<Series, Value> values) {
        return reading(seconds, values, Map.of());
    }

    private static LiveSample reading(double seconds, Map<Series, Value> values, Map<StageName, Times> stages) {
        return new LiveSample(1_000 + (long) (seconds * 1e9), values, stages, Map.of("about", "it"));
    }

    private static Value grows(double amount) {
        return new Value(amount, true);
    }

    private static Times times(Long... counts) {
        return new Times(BOUNDS, List.of(counts), Duration.ZERO, List.of());
    }

    private static @Nullable Double rate(LiveSnapshot snapshot, Series series) {
        return snapshot.meters().getOrDefault(series.meter().meter(), List.of()).stream()
                .filter(row -> row.tags().equals(series.tags()))
                .findFirst()
                .orElseThrow()
                .rate();
    }

    @Test
    void theFirstHasGaugesAndNoRates() {
        LiveSnapshot snapshot = LiveSnapshot.between(
                null, reading(7, Map.of(FRESH, grows(12)), Map.of(StageName.SPEND, times(3L, 4L, 5L))));

        assertThat(snapshot.seconds()).isZero();
        assertThat(snapshot.meters()).isEqualTo(Map.of("postern.spend", List.of(new Row(FRESH.tags(), 12, null))));
        assertThat(snapshot.stages())
                .containsExactly(new LiveSnapshot.StageRow("spend", "ledger", 12, List.of(0L, 0L, 0L)));
        assertThat(snapshot.bounds()).containsExactly(0.000025, 0.002);
        assertThat(snapshot.state()).isEqualTo(Map.of("about", "it"));
    }

    @Test
    void computesRatesWithTheRealInterval() {
        LiveSnapshot snapshot = LiveSnapshot.between(
                reading(1, Map.of(FRESH, grows(10), SPENT, grows(3))),
                reading(1.5, Map.of(FRESH, grows(16), SPENT, grows(3))));

        assertThat(snapshot.seconds()).isEqualTo(0.5);
        assertThat(rate(snapshot, FRESH)).isEqualTo(12);
        assertThat(rate(snapshot, SPENT)).isZero();
    }

    @Test
    void gaugesHaveNoRate() {
        LiveSnapshot snapshot = LiveSnapshot.between(
                reading(1, Map.of(OPEN, new Value(4, false))), reading(2, Map.of(OPEN, new Value(6, false))));

        assertThat(snapshot.meters()).isEqualTo(Map.of("postern.connections", List.of(new Row(Map.of(), 6, null))));
    }

    @Test
    void aNewCounterStartsAtZero() {
        LiveSnapshot snapshot = LiveSnapshot.between(reading(1, Map.of()), reading(3, Map.of(FRESH, grows(8))));

        assertThat(rate(snapshot, FRESH)).isEqualTo(4);
    }

    @Test
    void aSmallerCounterRestartedAtZero() {
        LiveSnapshot snapshot =
                LiveSnapshot.between(reading(1, Map.of(FRESH, grows(100))), reading(2, Map.of(FRESH, grows(5))));

        assertThat(rate(snapshot, FRESH)).isEqualTo(5);
    }

    @Test
    void omitsRemovedSeries() {
        assertThat(LiveSnapshot.between(reading(1, Map.of(FRESH, grows(1))), reading(2, Map.of()))
                        .meters())
                .isEmpty();
    }

    @Test
    void countsTimesPerBucketOfEachStageInOrder() {
        Map<StageName, Times> earlier = new EnumMap<>(StageName.class);
        earlier.put(StageName.RECEIVE, times(1L, 1L, 1L));
        earlier.put(StageName.RESPOND, times(0L, 7L, 0L));
        Map<StageName, Times> now = new EnumMap<>(StageName.class);
        now.put(StageName.RESPOND, times(0L, 9L, 4L));
        now.put(StageName.RECEIVE, times(1L, 2L, 1L));

        LiveSnapshot snapshot = LiveSnapshot.between(reading(1, Map.of(), earlier), reading(2, Map.of(), now));

        assertThat(snapshot.stages())
                .containsExactly(
                        new LiveSnapshot.StageRow("receive", "client", 4, List.of(0L, 1L, 0L)),
                        new LiveSnapshot.StageRow("respond", "upstream", 13, List.of(0L, 2L, 4L)));
    }
}
