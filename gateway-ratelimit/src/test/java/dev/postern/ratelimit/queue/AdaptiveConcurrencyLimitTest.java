package dev.postern.ratelimit.queue;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class AdaptiveConcurrencyLimitTest {

    private static final int USUAL = 10_000;

    private final AdaptiveConcurrencyLimit limit = new AdaptiveConcurrencyLimit(5, 400);

    private void steps(int steps, long micros, long active) {
        for (int step = 0; step < steps; step++) {
            for (int i = 0; i < AdaptiveConcurrencyLimit.FEWEST; i++) {
                limit.responded(micros);
            }
            limit.step(active);
        }
    }

    @Test
    void growsWhileLatencyIsNormalAndTheRoomIsUsed() {
        assertThat(limit.value()).isEqualTo(5);
        steps(1, USUAL, 5);
        steps(2, USUAL, 5);
        assertThat(limit.value()).isEqualTo(6);
        steps(100, USUAL, 400);
        assertThat(limit.value()).isBetween(100, 200);
        steps(1_000, USUAL, 400);
        assertThat(limit.value()).isEqualTo(400);
    }

    @Test
    void staysWhileHalfOfItIsSufficient() {
        steps(100, USUAL, 2);
        assertThat(limit.value()).isEqualTo(5);
        steps(20, USUAL, 3);
        assertThat(limit.value()).isGreaterThan(5);
    }

    @Test
    void shrinksWhileLatencyIsHighAndGrowsAgain() {
        steps(300, USUAL, 400);
        int before = limit.value();
        steps(1, USUAL + USUAL / 3, 400);
        assertThat(limit.value()).as("a third more is still normal").isGreaterThanOrEqualTo(before);

        steps(10, USUAL * 4, 400);
        assertThat(limit.value()).isBetween(before / 4, before / 2);
        steps(60, USUAL * 4, 400);
        assertThat(limit.value()).isEqualTo(5);

        steps(100, USUAL, 400);
        assertThat(limit.value()).isGreaterThan(100);
    }

    @Test
    void adaptsToPermanentlyHigherLatency() {
        steps(100, USUAL, 400);
        steps(2_000, USUAL * 2, 400);
        assertThat(limit.value()).isEqualTo(400);
    }

    @Test
    void fewResponsesCountInTheNextWindow() {
        steps(50, USUAL, 400);
        int before = limit.value();
        for (int i = 1; i < AdaptiveConcurrencyLimit.FEWEST; i++) {
            limit.responded(USUAL * 100);
            limit.step(400);
        }
        assertThat(limit.value()).isEqualTo(before);
        limit.responded(USUAL * 100);
        limit.step(400);
        assertThat(limit.value()).isLessThan(before);
    }

    @Test
    void growsWhileExactlyHalfOfItIsUsed() {
        AdaptiveConcurrencyLimit even = new AdaptiveConcurrencyLimit(4, 400);
        for (int i = 0; i < AdaptiveConcurrencyLimit.FEWEST * 10; i++) {
            even.responded(USUAL);
            even.step(2);
        }
        assertThat(even.value()).as("half of five is more than two").isEqualTo(5);
    }

    @Test
    void theNumberOfResponsesDoesNotMatter() {
        steps(50, USUAL, 400);
        int before = limit.value();
        for (int i = 0; i < AdaptiveConcurrencyLimit.FEWEST * 100; i++) {
            limit.responded(USUAL);
        }
        limit.step(400);
        assertThat(limit.value()).isGreaterThan(before);
    }

    @Test
    void aModeratelyHigherLatencyIsUsualAfterAboutAMinute() {
        steps(50, USUAL, 400);
        steps(60, USUAL * 14 / 10, 400);
        int before = limit.value();
        steps(1, USUAL * 18 / 10, 400);
        assertThat(limit.value()).isGreaterThanOrEqualTo(before);
    }

    @Test
    void aLowerLatencyIsUsualAfterTenWindows() {
        steps(50, USUAL, 400);
        steps(10, USUAL / 2, 400);
        int before = limit.value();
        steps(1, USUAL, 400);
        assertThat(limit.value()).isLessThan(before);
    }
}
