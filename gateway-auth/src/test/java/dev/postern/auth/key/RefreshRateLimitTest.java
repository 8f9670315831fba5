package dev.postern.auth.key;

import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class RefreshRateLimitTest {

    private static final long START = Long.MAX_VALUE - 3;

    private final RefreshRateLimit pace = new RefreshRateLimit(START);

    @Test
    void mayBeginAtOnceAndThenEveryFiveSeconds() {
        assertThat(pace.allows(START)).isTrue();
        assertThat(pace.justEnded(START)).isFalse();

        pace.begin(START);
        assertThat(pace.allows(after(0))).isFalse();
        assertThat(pace.allows(after(4_999))).isFalse();
        assertThat(pace.allows(after(5_000))).isTrue();
    }

    @Test
    void sendsWhoHadLookedBeforeItEndedToLookAgain() {
        pace.begin(START);
        assertThat(pace.justEnded(after(30))).isFalse();

        pace.end(after(40));

        assertThat(pace.justEnded(after(40))).isTrue();
        assertThat(pace.justEnded(after(539))).isTrue();
        assertThat(pace.justEnded(after(540))).isFalse();
        assertThat(pace.allows(after(540))).isFalse();
    }

    private static long after(long millis) {
        return START + MILLISECONDS.toNanos(millis);
    }
}
