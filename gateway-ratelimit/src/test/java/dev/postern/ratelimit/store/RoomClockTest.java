package dev.postern.ratelimit.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.core.testing.ManualClock;
import io.netty.util.concurrent.MockTicker;
import io.netty.util.concurrent.Ticker;
import java.time.Duration;
import java.time.Instant;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the rule about time: what a clock jumps, and what a process does not run, is no time of a room. */
class RoomClockTest {

    private static final long SECOND = 1_000_000;
    private static final long HOUR = 3_600 * SECOND;
    private static final long READ = 250_000;

    private final MockTicker ticker = Ticker.newMockTicker();
    private final ManualClock wall = new ManualClock(Instant.parse("2026-11-20T12:00:00Z"));
    private final RoomClock clock = new RoomClock(ticker, wall);
    private final long start = clock.now();

    /** Lets the process run, with a reading of the clock every quarter of a second. */
    private void run(long micros) {
        for (long left = micros; left > 0; left -= READ) {
            pause(Math.min(left, READ));
            clock.now();
        }
    }

    private void pause(long micros) {
        ticker.advance(micros, TimeUnit.MICROSECONDS);
        step(micros);
    }

    private void step(long micros) {
        wall.advance(Duration.ofNanos(1_000 * micros));
    }

    private long passed() {
        return clock.now() - start;
    }

    @ParameterizedTest
    @CsvSource({
        "100, 100, 0, 100",
        "100, 1000100, 0, 1000100",
        "100, 1000101, 0, 100",
        "100, 99, 0, 100",
        "100, 1000101, 101, 1000101",
        "100, 9000000, 8000000, 9000000",
        "100, 9000001, 8000000, 8000000",
        "100, -9000000, 170, 170",
        "100, 9000001, 99, 100",
        "100, 400, 9000000, 400",
        "100, 0, 0, 100",
        "100, -1, 0, 100",
        "100, -9000000, 0, 100",
        "0, -1, 0, 0"
    })
    void theClockOfTheStoreCountsUnlessItJumped(long last, long store, long witness, long next) {
        assertThat(RoomClock.next(last, store, witness)).isEqualTo(next);
    }

    @Test
    void beginsWithTheWallClockAndGoesWithTheTicker() {
        assertThat(start).isEqualTo(Micros.of(wall));
        run(100 * SECOND);
        assertThat(passed()).isEqualTo(100 * SECOND);
    }

    @ParameterizedTest
    @ValueSource(longs = {-2 * HOUR, -HOUR, -SECOND, SECOND, HOUR, 50 * 365 * 24 * HOUR})
    void aStepOfTheWallClockIsNoTime(long step) {
        step(step);
        assertThat(passed()).isZero();
        run(64 * SECOND);
        assertThat(passed()).isBetween(63 * SECOND, 65 * SECOND);
    }

    @ParameterizedTest
    @ValueSource(longs = {SECOND + RoomClock.STORED + 1, 25 * SECOND, HOUR})
    void aPauseIsNoTime(long pause) {
        run(10 * SECOND);
        pause(pause);
        assertThat(passed()).isEqualTo(10 * SECOND + RoomClock.STORED);
    }

    @Test
    void aLateTimerIsNoPause() {
        pause(SECOND);
        assertThat(passed()).isEqualTo(SECOND);
    }

    @ParameterizedTest
    @ValueSource(longs = {-25, 25})
    void approachesTheWallClockSlowly(long seconds) {
        step(seconds * SECOND);
        run(65 * 25 * SECOND);
        assertThat(clock.wallAhead(clock.now())).isBetween(-2L, 2L);
    }

    @Test
    void neverGoesBackAndCountsOnlyTheTimeInWhichTheProcessRan() {
        for (int seed = 0; seed < 100; seed++) {
            checkHistory(new Random(seed), "seed " + seed);
        }
    }

    private void checkHistory(Random random, String seed) {
        long begin = clock.now();
        long ran = 0;
        long pauses = 0;
        long last = begin;
        for (int i = 0; i < 400; i++) {
            switch (random.nextInt(8)) {
                case 0 -> step(random.nextLong(2 * HOUR) - HOUR);
                case 1 -> {
                    pause(SECOND + 2 * RoomClock.STORED + random.nextLong(HOUR));
                    pauses++;
                }
                case 2 -> step(random.nextInt(1_000) - 500); // drift
                default -> {
                    long run = random.nextLong(SECOND);
                    pause(run);
                    ran += run;
                }
            }
            long now = clock.now();
            assertThat(now).as(seed).isGreaterThanOrEqualTo(last);
            // A pause may begin just after a reading that was not stored.
            assertThat(now - begin)
                    .as(seed)
                    .isBetween(
                            ran - ran / 60 - (pauses + 1) * RoomClock.STORED,
                            ran + ran / 60 + (pauses + 1) * 2 * RoomClock.STORED);
            last = now;
        }
    }
}
