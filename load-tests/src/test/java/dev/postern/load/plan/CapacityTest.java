package dev.postern.load.plan;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class CapacityTest {
    private static final Settings LIMITS = new Settings(Map.of("limitP99", "100", "limitFailed", "1"));

    @Test
    void isTheLastLevelBeforeTheFirstThatExceedsTheLimitOfTime() {
        Capacity capacity = Capacity.of(List.of(level(10, 0, 100), level(20, 0, 101), level(30, 0, 50)), LIMITS);

        assertThat(capacity.rate()).hasValue(10);
        assertThat(capacity.text()).isEqualTo("10/s (at 20/s the limits are exceeded)");
    }

    @Test
    void isTheLastLevelBeforeTheFirstThatExceedsTheLimitOfFailures() {
        assertThat(Capacity.of(List.of(level(10, 1, 5), level(20, 2, 5)), LIMITS)
                        .rate())
                .hasValue(10);
    }

    @Test
    void hasNoRateIfTheFirstLevelExceedsTheLimits() {
        Capacity capacity = Capacity.of(List.of(level(10, 50, 5), level(20, 0, 5)), LIMITS);

        assertThat(capacity.rate()).isEmpty();
        assertThat(capacity.text()).isEqualTo("below 10/s (at 10/s the limits are exceeded)");
    }

    @Test
    void saysThatTheLimitsWereNotReached() {
        assertThat(Capacity.of(List.of(level(10, 0, 5)), LIMITS).text())
                .isEqualTo("at least 10/s (no level exceeds the limits)");
    }

    @Test
    void ignoresTheWarmUp() {
        PhaseResult warmUp = new PhaseResult("warm-up", 10, 100, 50, 1, 900_000);

        assertThat(Capacity.of(List.of(warmUp, level(10, 0, 5)), LIMITS).rate()).hasValue(10);
        assertThat(Capacity.of(List.of(warmUp), LIMITS).rate()).isEmpty();
    }

    @Test
    void countsLevelWithoutRequestsAsExceeded() {
        assertThat(Capacity.of(List.of(new PhaseResult("10/s", 10, 0, 0, 0, 0)), LIMITS)
                        .rate())
                .isEmpty();
        assertThat(Capacity.of(List.of(), LIMITS).text()).isEqualTo("not measured");
    }

    private static PhaseResult level(int rate, long failed, long p99Millis) {
        return new PhaseResult(rate + "/s", rate, 100, failed, 1, 1000 * p99Millis);
    }
}
