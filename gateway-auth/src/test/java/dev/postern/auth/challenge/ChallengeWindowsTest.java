package dev.postern.auth.challenge;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class ChallengeWindowsTest {

    private static final Instant START = Instant.parse("2026-11-20T12:00:00Z");
    private final ChallengeWindows windows = new ChallengeWindows(Duration.ofMinutes(10), Duration.ofSeconds(30));
    private final long current = windows.index(START);

    @Test
    void acceptsTheNextWindowOnlyWithinTheSkew() {
        assertThat(windows.newest(START.plusSeconds(569))).isEqualTo(current);
        assertThat(windows.newest(START.plusSeconds(570))).isEqualTo(current + 1);
    }

    @Test
    void acceptsTheWindowBeforeThePreviousOnlyWithinTheSkew() {
        assertThat(windows.oldestOpen(START.plusSeconds(29))).isEqualTo(current - 2);
        assertThat(windows.oldestOpen(START.plusSeconds(30))).isEqualTo(current - 1);
        assertThat(windows.oldestLapsing(START.plusSeconds(30))).isEqualTo(current - 6);
    }

    @Test
    void computesTheMaxAgeOfANewChallenge() {
        assertThat(windows.maxAge(START)).isEqualTo(1200);
        assertThat(windows.maxAge(START.plusSeconds(599))).isEqualTo(601);
        assertThat(windows.maxAge(START.plusMillis(599_999))).isEqualTo(600);
    }

    @Test
    void keepsASpendWhileAClockWithinTheSkewAcceptsIt() {
        Instant open = windows.acceptedUntil(current, false);
        Instant lapsing = windows.acceptedUntil(current, true);

        assertThat(open).isEqualTo(START.plusSeconds(1200 + 60));
        assertThat(lapsing).isEqualTo(START.plusSeconds(4200 + 60));
        // Another gateway's clock, which is slow by the skew, stops accepting just then.
        Instant theirs = open.minusSeconds(30);
        assertThat(windows.oldestOpen(theirs)).isEqualTo(current + 1);
        assertThat(windows.oldestOpen(theirs.minusMillis(1))).isEqualTo(current);
        Instant theirsLapsing = lapsing.minusSeconds(30);
        assertThat(windows.oldestLapsing(theirsLapsing)).isEqualTo(current + 1);
        assertThat(windows.oldestLapsing(theirsLapsing.minusMillis(1))).isEqualTo(current);
    }

    @Test
    void computesTheNextChangeOfItsResults() {
        for (int millis = 0; millis < 1_300_000; millis += 777) {
            Instant now = START.plusMillis(millis);
            Instant next = windows.unchangedUntil(now);
            assertThat(next).isAfter(now);
            assertThat(acceptedWindows(next.minusMillis(1))).isEqualTo(acceptedWindows(now));
            assertThat(acceptedWindows(next)).isNotEqualTo(acceptedWindows(now));
        }
    }

    private String acceptedWindows(Instant now) {
        return windows.index(now) + " " + windows.newest(now) + " " + windows.oldestOpen(now) + " "
                + windows.oldestLapsing(now);
    }
}
