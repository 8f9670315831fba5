package dev.postern.core.transport;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Tests detection of stalled output; times are in an arbitrary unit. */
class WriteProgressTrackerTest {

    private final WriteProgressTracker tracker = new WriteProgressTracker(100);
    private final Object first = new Object();

    @Test
    void isStalledWithoutProgressForTheWholeTime() {
        tracker.begin(0, first, 0, 50);
        assertThat(tracker.stalled(99, first, 0, 50)).isFalse();
        assertThat(tracker.stalled(100, first, 0, 50)).isTrue();
    }

    @Test
    void anyByteIsProgress() {
        tracker.begin(0, first, 0, 50);
        assertThat(tracker.stalled(99, first, 1, 50)).isFalse();
        assertThat(tracker.stalled(198, first, 1, 50)).isFalse();
        assertThat(tracker.stalled(199, first, 1, 50)).isTrue();
    }

    @Test
    void aCompleteBufferIsProgress() {
        Object second = new Object();
        tracker.begin(0, first, 7, 50);
        assertThat(tracker.stalled(150, second, 7, 50)).isFalse();
        // The same pooled buffer again, with fewer bytes after it.
        assertThat(tracker.stalled(300, second, 7, 40)).isFalse();
        assertThat(tracker.stalled(399, second, 7, 40)).isFalse();
        assertThat(tracker.stalled(400, second, 7, 40)).isTrue();
    }

    @Test
    void moreOutputIsNoProgress() {
        tracker.begin(0, first, 0, 50);
        assertThat(tracker.stalled(50, first, 0, 60)).isFalse();
        assertThat(tracker.stalled(100, first, 0, 70)).isTrue();
    }
}
