package dev.postern.core.http2.window;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class WindowGrowthTest {

    private static final int FIRST = 65_535;
    private static final int MAX = 4 << 20;

    private final WindowGrowth growth = new WindowGrowth(FIRST, 0);

    private static long millis(double millis) {
        return (long) (millis * TimeUnit.MILLISECONDS.toNanos(1));
    }

    /** Takes bytes, and makes the growth so. */
    private int take(int bytes, double atMillis, double roundTrip, int max) {
        int more = growth.taken(bytes, millis(atMillis), millis(roundTrip), max, 0);
        growth.grow(more);
        return more;
    }

    /** A peer over that distance sends at once what the window allows; the reader takes all. Returns the round trips until the last growth. */
    private int fill(double roundTrip, int max) {
        int last = 0;
        for (int round = 0; round < 20; round++) {
            int burst = growth.size();
            for (int sent = 0; sent < burst; sent += 16_384) {
                double at = round * roundTrip + sent * roundTrip / (2.0 * burst);
                if (take(Math.min(16_384, burst - sent), at, roundTrip, max) > 0) {
                    last = round;
                }
            }
        }
        return last;
    }

    @ParameterizedTest
    @CsvSource({"0.3", "25", "50", "100", "600"})
    void growsToTheMaximumInAFewRoundTripsWhileItIsTheLimit(double roundTrip) {
        int rounds = fill(roundTrip, MAX);

        assertThat(growth.size()).isEqualTo(MAX);
        assertThat(growth.grown()).isEqualTo(MAX - FIRST);
        assertThat(rounds).isBetween(4, 8);
    }

    @Test
    void isTwiceWhatTheReaderTakesInARoundTrip() {
        WindowGrowth large = new WindowGrowth(700_000, 0);
        for (int i = 0; i <= 100; i++) {
            large.grow(
                    large.taken(100_000, millis(10 * i), millis(50), MAX, 0)); // 10 MB a second: 500,000 bytes in 50 ms
        }
        assertThat(large.size()).isEqualTo(1_000_000);
    }

    @Test
    void isFourTimesWhatTheReaderTakesWhileTheWindowIsTheLimit() {
        for (int i = 0; i <= 100; i++) {
            take(12_000, 10 * i, 50, MAX); // 60,000 bytes in 50 ms
        }
        assertThat(growth.size()).isEqualTo(240_000);
    }

    @Test
    void staysForAReaderThatIsSlowerThanTheWindow() {
        for (int i = 0; i <= 1000; i++) {
            assertThat(take(6_000, 10 * i, 50, MAX)).isZero(); // 30,000 bytes in 50 ms
        }
        assertThat(growth.size()).isEqualTo(FIRST);
    }

    @Test
    void aReaderThatStopsAndTakesAllAtOnceGetsNoMoreThanTwiceOfIt() {
        take(1_000, 0, 50, MAX);
        for (int i = 0; i < 4; i++) {
            take(16_000, 5_000, 50, MAX); // held for five seconds, then drained
        }
        assertThat(growth.size()).isEqualTo(FIRST);
    }

    @Test
    void timeWithoutBytesIsNoRoundTrip() {
        take(60_000, 0, 50, MAX);
        assertThat(take(1_000, 1_000, 50, MAX)).isZero(); // 60,000 bytes in a second
        assertThat(growth.size()).isEqualTo(FIRST);
    }

    @Test
    void staysWhereTheRoundTripIsUnknown() {
        fill(0, MAX);
        assertThat(growth.size()).isEqualTo(FIRST);
    }

    @ParameterizedTest
    @CsvSource({"65535", "1024", "0"})
    void aMaximumAtOrBelowTheFirstSizeSwitchesGrowthOff(int max) {
        fill(50, max);

        assertThat(growth.size()).isEqualTo(FIRST);
    }

    @Test
    void theReserveComesOnTop() {
        WindowGrowth reserved = new WindowGrowth(1_000_000, 1_000_000);
        reserved.taken(300_000, 0, millis(50), MAX, 0);

        assertThat(reserved.taken(1, millis(50), millis(50), MAX, 0)).isEqualTo(600_000);
    }

    @Test
    void whatTheBudgetDoesNotGrantIsNotCounted() {
        growth.taken(60_000, 0, millis(50), MAX, 0);

        assertThat(growth.taken(60_000, millis(50), millis(50), MAX, 0)).isEqualTo(240_000 - FIRST);
        assertThat(growth.size()).isEqualTo(FIRST);
        assertThat(growth.grown()).isZero();
    }

    @Test
    void aLaterBodyOnTheSameWayGrowsAtOnceButNotBeforeItIsRead() {
        long trip = millis(100);
        assertThat(growth.taken(30_000, 0, trip, MAX, MAX)).isZero();
        assertThat(growth.taken(20_000, millis(1), trip, MAX, MAX)).isEqualTo(16 * 50_000 - FIRST);
        growth.grow(16 * 50_000 - FIRST);
        assertThat(growth.taken(15_000, millis(2), trip, MAX, MAX)).as("once").isZero();
    }

    @Test
    void aLaterBodyGrowsNoFurtherThanTheEarlierOne() {
        long trip = millis(100);
        assertThat(growth.taken(50_000, 0, trip, MAX, 100_000)).isEqualTo(100_000 - FIRST);
        assertThat(new WindowGrowth(FIRST, 0).taken(50_000, 0, trip, MAX, 0)).isZero();
    }
}
