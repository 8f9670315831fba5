package dev.postern.core.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.core.route.MinBodyRate;
import io.netty.util.concurrent.MockTicker;
import io.netty.util.concurrent.Ticker;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class BodyRateTrackerTest {

    private final MockTicker ticker = Ticker.newMockTicker();
    private final BodyRateTracker tracker = new BodyRateTracker(MinBodyRate.of(240), ticker);

    private void pass(int seconds) {
        ticker.advance(seconds, TimeUnit.SECONDS);
    }

    @Test
    void acceptsEveryRateBeforeThePeriodEnds() {
        pass(29);
        assertThat(tracker.tooSlow()).isFalse();
        assertThat(tracker.remainingNanos()).isEqualTo(Duration.ofSeconds(1).toNanos());
        pass(1);
        assertThat(tracker.tooSlow()).isTrue();
    }

    @Test
    void requiresExactlyTheRate() {
        tracker.received(240 * 30);
        pass(30);
        assertThat(tracker.tooSlow()).isFalse();
        tracker.received(240 * 30 - 1);
        pass(30);
        assertThat(tracker.tooSlow()).isTrue();
    }

    @Test
    void aFastStartDoesNotOffsetASlowEnd() {
        tracker.received(1_000_000);
        pass(30);
        assertThat(tracker.tooSlow()).isFalse();
        pass(30);
        assertThat(tracker.tooSlow()).isTrue();
    }

    @Test
    void countsOnlyTimeInWhichTheGatewayReads() {
        pass(10);
        tracker.shut();
        pass(1000);
        assertThat(tracker.tooSlow()).isFalse();
        assertThat(tracker.remainingNanos()).isEqualTo(Duration.ofSeconds(30).toNanos());
        tracker.shut();
        pass(1000);
        tracker.open();
        tracker.open();
        pass(19);
        assertThat(tracker.tooSlow()).isFalse();
        assertThat(tracker.remainingNanos()).isEqualTo(Duration.ofSeconds(1).toNanos());
        pass(1);
        assertThat(tracker.tooSlow()).isTrue();
    }

    @Test
    void ignoresAPeriodWithoutReads() {
        pass(30);
        tracker.restart();
        assertThat(tracker.tooSlow()).isFalse();
        pass(30);
        assertThat(tracker.tooSlow()).isTrue();
    }
}
