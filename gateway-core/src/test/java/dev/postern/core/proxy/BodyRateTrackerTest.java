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
    private final BodyRateTracker tracker = new BodyRateTracker(new MinBodyRate(240, Duration.ofSeconds(30)), ticker);

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

    /** A phone that loses its network for most of a minute, as nginx permits it. */
    @Test
    void aPauseIsNoSlowBody() {
        BodyRateTracker usual = new BodyRateTracker(MinBodyRate.of(240), ticker);
        for (int second = 1; second <= 300; second++) {
            pass(1);
            if (second % 60 == 55) {
                usual.received(240 * 60);
            }
            assertThat(usual.tooSlow()).as("after %d s", second).isFalse();
        }
    }

    @Test
    void aBodyOfAByteNowAndThenIsFoundWithinAMinute() {
        BodyRateTracker usual = new BodyRateTracker(MinBodyRate.of(240), ticker);
        for (int i = 0; i < 60; i++) {
            pass(1);
            usual.received(200);
        }
        assertThat(usual.tooSlow()).isTrue();
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
