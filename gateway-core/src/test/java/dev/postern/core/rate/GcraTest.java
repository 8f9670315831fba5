package dev.postern.core.rate;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class GcraTest {

    private static final long SECOND = 1_000_000;

    private static int admitted(Gcra gcra, long from, long end, long step) {
        long arrival = 0;
        int admitted = 0;
        for (long now = from; now < end; now += step) {
            if (gcra.allows(arrival, now)) {
                arrival = gcra.next(arrival, now);
                admitted++;
            }
        }
        return admitted;
    }

    @Test
    void keepsTheRateOverTime() {
        assertThat(admitted(Gcra.of(10, SECOND, 0), SECOND, 101 * SECOND, 1000)).isEqualTo(1000);
    }

    @Test
    void admitsABurstOnce() {
        assertThat(admitted(Gcra.of(10, SECOND, 10), SECOND, SECOND + 1000, 1)).isEqualTo(11);
        assertThat(admitted(Gcra.of(10, SECOND, 10), SECOND, 11 * SECOND, 1000)).isEqualTo(110);
    }

    @Test
    void reportsDelayAndRemainingRequests() {
        Gcra gcra = Gcra.of(10, SECOND, 1);
        assertThat(gcra.remaining(0, SECOND)).isEqualTo(2);
        long arrival = gcra.next(gcra.next(0, SECOND), SECOND);
        assertThat(gcra.remaining(arrival, SECOND)).isZero();
        assertThat(gcra.wait(arrival, SECOND)).isEqualTo(100_000);
        assertThat(gcra.allows(arrival, SECOND + 99_999)).isFalse();
        assertThat(gcra.allows(arrival, SECOND + 100_000)).isTrue();
    }

    @Test
    void cutsAnArrivalThatNoRequestAtThisRateCanLeave() {
        Gcra gcra = Gcra.of(10, SECOND, 1);
        long arrival = gcra.next(gcra.next(0, 600 * SECOND), 600 * SECOND);
        assertThat(gcra.capped(arrival, 600 * SECOND)).as("the latest one").isEqualTo(arrival);
        assertThat(gcra.wait(gcra.capped(arrival, SECOND), SECOND))
                .as("after the clock stepped back")
                .isEqualTo(100_000);
    }
}
