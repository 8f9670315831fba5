package dev.postern.core.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.core.route.MinBodyRate;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class BodyRateTrackerTest {

    private long now = 17;
    private final BodyRateTracker pace = new BodyRateTracker(MinBodyRate.of(240), () -> now);

    private void pass(int seconds) {
        now += Duration.ofSeconds(seconds).toNanos();
    }

    @Test
    void judgesNothingBeforeThePeriodIsOver() {
        pass(29);
        assertThat(pace.tooSlow()).isFalse();
        assertThat(pace.left()).isEqualTo(Duration.ofSeconds(1).toNanos());
        pass(1);
        assertThat(pace.tooSlow()).isTrue();
    }

    @Test
    void asksForTheRateAndNoMore() {
        pace.received(240 * 30);
        pass(30);
        assertThat(pace.tooSlow()).isFalse();
        pace.received(240 * 30 - 1);
        pass(30);
        assertThat(pace.tooSlow()).isTrue();
    }

    @Test
    void doesNotTakeAFastBeginningForASlowEnd() {
        pace.received(1_000_000);
        pass(30);
        assertThat(pace.tooSlow()).isFalse();
        pass(30);
        assertThat(pace.tooSlow()).isTrue();
    }

    @Test
    void countsOnlyTimeInWhichTheClientMaySend() {
        pass(10);
        pace.shut();
        pass(1000);
        assertThat(pace.tooSlow()).isFalse();
        assertThat(pace.left()).isEqualTo(Duration.ofSeconds(30).toNanos());
        pace.shut();
        pass(1000);
        pace.open();
        pace.open();
        pass(19);
        assertThat(pace.tooSlow()).isFalse();
        assertThat(pace.left()).isEqualTo(Duration.ofSeconds(1).toNanos());
        pass(1);
        assertThat(pace.tooSlow()).isTrue();
    }

    @Test
    void forgivesAPeriodThatWasNotTheClientsDoing() {
        pass(30);
        pace.restart();
        assertThat(pace.tooSlow()).isFalse();
        pass(30);
        assertThat(pace.tooSlow()).isTrue();
    }
}
