package dev.postern.core.upstream.pool;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.core.testing.TestPool;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Tests idle time-outs of 55 s, which decrease when the upstream closes connections earlier. */
class AdaptiveIdleTimeoutTest {

    private static final long SECOND = Duration.ofSeconds(1).toNanos();
    private static final long MILLI = Duration.ofMillis(1).toNanos();
    private static final long MAX = 55 * SECOND;

    private final AdaptiveIdleTimeout timeout = limit(true);

    private static AdaptiveIdleTimeout limit(boolean learns) {
        return new AdaptiveIdleTimeout(TestPool.with(Map.of("learnIdle", learns)));
    }

    @Test
    void learnsFromConnectionsClosedAtTheSameAgeAtDifferentTimes() {
        assertThat(timeout.closed(5_000 * MILLI, 0)).isFalse();
        assertThat(timeout.closed(5_004 * MILLI, 2 * SECOND)).isFalse();
        assertThat(timeout.nanos(2 * SECOND)).isEqualTo(MAX);
        assertThat(timeout.closed(5_001 * MILLI, 3 * SECOND)).isTrue();
        assertThat(timeout.nanos(3 * SECOND)).isEqualTo(4_000 * MILLI);
    }

    @Test
    void ignoresConnectionsClosedAtTheSameTime() {
        for (int i = 0; i < 20; i++) {
            assertThat(timeout.closed(5 * SECOND, i * MILLI)).isFalse();
        }
        assertThat(timeout.nanos(0)).isEqualTo(MAX);
    }

    @Test
    void ignoresConnectionsClosedAtDifferentAges() {
        for (int i = 0; i < 20; i++) {
            assertThat(timeout.closed(i * SECOND, 10 * SECOND * i)).isFalse();
        }
        assertThat(timeout.nanos(0)).isEqualTo(MAX);
    }

    @Test
    void forgetsTheLearntTimeOut() {
        learn(5 * SECOND, 0);
        long later = Duration.ofMinutes(11).toNanos();
        assertThat(timeout.nanos(later)).isEqualTo(MAX);
        learn(5 * SECOND, later);
        assertThat(timeout.nanos(later + 4 * SECOND)).isEqualTo(4 * SECOND);
    }

    private void learn(long age, long from) {
        for (int i = 0; i < 4; i++) {
            timeout.closed(age, from + i * SECOND);
        }
    }

    @Test
    void aShorterTimeOutReplacesALongerOne() {
        learn(5 * SECOND, 0);
        learn(2 * SECOND, 10 * SECOND);
        assertThat(timeout.nanos(14 * SECOND)).isEqualTo(1_600 * MILLI);
    }

    @Test
    void appliesTheUpstreamsKeepAliveAtOnce() {
        assertThat(timeout.announced(5, 0)).isTrue();
        assertThat(timeout.announced(5, SECOND)).as("no change").isFalse();
        assertThat(timeout.nanos(0)).isEqualTo(4 * SECOND);
        assertThat(timeout.announced(0, SECOND))
                .as("zero is not a usable time-out")
                .isFalse();
        assertThat(timeout.announced(3_600, SECOND))
                .as("longer than the configured maximum")
                .isFalse();
    }

    @Test
    void doesNotForgetARepeatedKeepAlive() {
        long minute = Duration.ofMinutes(1).toNanos();
        for (int i = 0; i < 60; i++) {
            timeout.announced(5, i * minute);
        }
        assertThat(timeout.nanos(60 * minute)).isEqualTo(4 * SECOND);
    }

    @Test
    void learnsNothingWhenDisabled() {
        AdaptiveIdleTimeout deaf = limit(false);
        assertThat(deaf.announced(5, 0)).isFalse();
        for (int i = 0; i < 9; i++) {
            assertThat(deaf.closed(5 * SECOND, i * SECOND)).isFalse();
        }
        assertThat(deaf.nanos(0)).isEqualTo(MAX);
    }
}
