package dev.postern.core.transport;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Looks at what waits to be sent; times in whatever unit. */
class WriteProgressTrackerTest {

    private final WriteProgressTracker rule = new WriteProgressTracker(100);
    private final Object first = new Object();

    @Test
    void isStalledWhenNothingWasTakenForTheWholeTime() {
        rule.begin(0, first, 0, 50);
        assertThat(rule.stalled(99, first, 0, 50)).isFalse();
        assertThat(rule.stalled(100, first, 0, 50)).isTrue();
    }

    @Test
    void takingAnyByteBeginsAnew() {
        rule.begin(0, first, 0, 50);
        assertThat(rule.stalled(99, first, 1, 50)).isFalse();
        assertThat(rule.stalled(198, first, 1, 50)).isFalse();
        assertThat(rule.stalled(199, first, 1, 50)).isTrue();
    }

    @Test
    void takingAWholePieceBeginsAnew() {
        Object second = new Object();
        rule.begin(0, first, 7, 50);
        assertThat(rule.stalled(150, second, 7, 50)).isFalse();
        // The same buffer once more, since they are pooled, with less behind it.
        assertThat(rule.stalled(300, second, 7, 40)).isFalse();
        assertThat(rule.stalled(399, second, 7, 40)).isFalse();
        assertThat(rule.stalled(400, second, 7, 40)).isTrue();
    }

    @Test
    void thatMoreIsWrittenIsNoProgress() {
        rule.begin(0, first, 0, 50);
        assertThat(rule.stalled(50, first, 0, 60)).isFalse();
        assertThat(rule.stalled(100, first, 0, 70)).isTrue();
    }
}
