package dev.postern.app.live;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.app.live.LiveFrame.Row;
import dev.postern.app.live.LiveReading.Series;
import dev.postern.app.live.LiveReading.Value;
import dev.postern.core.exchange.Stage;
import dev.postern.core.metrics.LoopTimes.Times;
import dev.postern.core.metrics.Meters;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class LiveFrameTest {

    private static final Series FRESH = new Series(Meters.SPEND, Map.of("result", "fresh"));
    private static final Series SPENT = new Series(Meters.SPEND, Map.of("result", "spent"));
    private static final Series OPEN = new Series(Meters.CONNECTIONS, Map.of());
    private static final List<Duration> BOUNDS = List.of(Duration.ofNanos(25_000), Duration.ofMillis(2));

    private static LiveReading reading(double seconds, Map<Series, Value> values) {
        return reading(seconds, values, Map.of());
    }

    private static LiveReading reading(double seconds, Map<Series, Value> values, Map<Stage, Times> stages) {
        return new LiveReading(1_000 + (long) (seconds * 1e9), values, stages, Map.of("about", "it"));
    }

    private static Value grows(double amount) {
        return new Value(amount, true);
    }

    private static Times times(Long... counts) {
        return new Times(BOUNDS, List.of(counts), Duration.ZERO, List.of());
    }

    private static @Nullable Double rate(LiveFrame frame, Series series) {
        return frame.meters().getOrDefault(series.meter().meter(), List.of()).stream()
                .filter(row -> row.tags().equals(series.tags()))
                .findFirst()
                .orElseThrow()
                .rate();
    }

    @Test
    void theFirstSaysHowThingsStandAndNothingOfWhatCame() {
        LiveFrame frame =
                LiveFrame.between(null, reading(7, Map.of(FRESH, grows(12)), Map.of(Stage.SPEND, times(3L, 4L, 5L))));

        assertThat(frame.seconds()).isZero();
        assertThat(frame.meters()).isEqualTo(Map.of("postern.spend", List.of(new Row(FRESH.tags(), 12, null))));
        assertThat(frame.stages()).containsExactly(new LiveFrame.StageRow("spend", "ledger", 12, List.of(0L, 0L, 0L)));
        assertThat(frame.bounds()).containsExactly(0.000025, 0.002);
        assertThat(frame.state()).isEqualTo(Map.of("about", "it"));
    }

    @Test
    void whatGrowsHasARateOfTheTimeThatReallyWentBy() {
        LiveFrame frame = LiveFrame.between(
                reading(1, Map.of(FRESH, grows(10), SPENT, grows(3))),
                reading(1.5, Map.of(FRESH, grows(16), SPENT, grows(3))));

        assertThat(frame.seconds()).isEqualTo(0.5);
        assertThat(rate(frame, FRESH)).isEqualTo(12);
        assertThat(rate(frame, SPENT)).isZero();
    }

    @Test
    void whatDoesNotGrowHasNone() {
        LiveFrame frame = LiveFrame.between(
                reading(1, Map.of(OPEN, new Value(4, false))), reading(2, Map.of(OPEN, new Value(6, false))));

        assertThat(frame.meters()).isEqualTo(Map.of("postern.connections", List.of(new Row(Map.of(), 6, null))));
    }

    @Test
    void whatWasNotThereBeforeBeganFromNothing() {
        LiveFrame frame = LiveFrame.between(reading(1, Map.of()), reading(3, Map.of(FRESH, grows(8))));

        assertThat(rate(frame, FRESH)).isEqualTo(4);
    }

    @Test
    void whatIsLessThanBeforeBeganAnew() {
        LiveFrame frame = LiveFrame.between(reading(1, Map.of(FRESH, grows(100))), reading(2, Map.of(FRESH, grows(5))));

        assertThat(rate(frame, FRESH)).isEqualTo(5);
    }

    @Test
    void whatIsGoneIsNotTold() {
        assertThat(LiveFrame.between(reading(1, Map.of(FRESH, grows(1))), reading(2, Map.of()))
                        .meters())
                .isEmpty();
    }

    @Test
    void stagesTellWhatCameIntoEachBucketInTheOrderOfAnExchange() {
        Map<Stage, Times> before = new EnumMap<>(Stage.class);
        before.put(Stage.RECEIVE, times(1L, 1L, 1L));
        before.put(Stage.RESPOND, times(0L, 7L, 0L));
        Map<Stage, Times> now = new EnumMap<>(Stage.class);
        now.put(Stage.RESPOND, times(0L, 9L, 4L));
        now.put(Stage.RECEIVE, times(1L, 2L, 1L));

        LiveFrame frame = LiveFrame.between(reading(1, Map.of(), before), reading(2, Map.of(), now));

        assertThat(frame.stages())
                .containsExactly(
                        new LiveFrame.StageRow("receive", "client", 4, List.of(0L, 1L, 0L)),
                        new LiveFrame.StageRow("respond", "upstream", 13, List.of(0L, 2L, 4L)));
    }
}
