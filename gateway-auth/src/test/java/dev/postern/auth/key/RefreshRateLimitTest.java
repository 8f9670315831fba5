package dev.postern.auth.key;

import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class RefreshRateLimitTest {

    private static final long START = Long.MAX_VALUE - 3;

    private final RefreshRateLimit limit = new RefreshRateLimit(START);

    @Test
    void permitsARefreshAtOnceAndThenEveryFiveSeconds() {
        assertThat(limit.allows(START)).isTrue();
        assertThat(limit.justEnded(START)).isFalse();

        limit.begin(START);
        assertThat(limit.allows(after(0))).isFalse();
        assertThat(limit.allows(after(4_999))).isFalse();
        assertThat(limit.allows(after(5_000))).isTrue();
    }

    @Test
    void asksCallersOfAnEarlierLookupToRepeatIt() {
        limit.begin(START);
        assertThat(limit.justEnded(after(30))).isFalse();

        limit.end(after(40));

        assertThat(limit.justEnded(after(40))).isTrue();
        assertThat(limit.justEnded(after(539))).isTrue();
        assertThat(limit.justEnded(after(540))).isFalse();
        assertThat(limit.allows(after(540))).isFalse();
    }

    private static long after(long millis) {
        return START + MILLISECONDS.toNanos(millis);
    }
}
