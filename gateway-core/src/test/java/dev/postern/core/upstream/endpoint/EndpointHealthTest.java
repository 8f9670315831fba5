package dev.postern.core.upstream.endpoint;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.core.config.Share;
import dev.postern.core.testing.KeyDefaults;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests an endpoint that is ejected for 1 s after three failures in a row, for 4 s at most. */
class EndpointHealthTest {

    private static final long SECOND = Duration.ofSeconds(1).toNanos();

    private static EndpointHealth health(Duration slowStart) {
        return new EndpointHealth(new UpstreamSettings.Health(
                3,
                Duration.ofSeconds(1),
                Duration.ofSeconds(4),
                new Share(0.5),
                slowStart,
                new UpstreamSettings.Check("/", null, Duration.ofSeconds(1), Duration.ofSeconds(1), 2, 3)));
    }

    private final EndpointHealth health = health(Duration.ZERO);

    private void fail(int times, boolean connecting, long now) {
        for (int i = 0; i < times; i++) {
            health.bad(connecting, now);
        }
    }

    @Test
    void isEjectedAfterConsecutiveFailures() {
        fail(2, false, 0);
        health.good();
        fail(2, false, 0);
        assertThat(health.usable(0)).isTrue();
        fail(1, false, 0);
        assertThat(health.usable(SECOND - 1)).isFalse();
        assertThat(health.usable(SECOND)).isTrue();
    }

    @Test
    void eachFurtherFailureDoublesTheTimeUpToTheMaximum() {
        fail(4, false, 0);
        assertThat(health.usable(2 * SECOND - 1)).isFalse();
        assertThat(health.usable(2 * SECOND)).isTrue();
        fail(100, false, 0);
        assertThat(health.usable(4 * SECOND - 1)).isFalse();
        assertThat(health.usable(4 * SECOND)).isTrue();
        health.good();
        assertThat(health.usable(0)).isTrue();
    }

    /** Doubled twenty times, these times exceed what a long holds; some of the results are positive again. */
    @ParameterizedTest
    @ValueSource(longs = {17_592_186, 17_592_200, 35_184_373, 70_368_745, 86_400_000})
    void theTimeNeverFallsBelowTheMaximumOnceItReachedIt(long millis) {
        Duration day = Duration.ofDays(1);
        EndpointHealth far = new EndpointHealth(new UpstreamSettings.Health(
                1,
                Duration.ofMillis(millis),
                day,
                new Share(0.5),
                Duration.ZERO,
                KeyDefaults.of(UpstreamSettings.Check.class)));
        for (int i = 0; i < 5; i++) {
            far.bad(false, 0);
        }
        for (int i = 0; i < 20; i++) {
            far.bad(false, 0);
            assertThat(far.usable(day.toNanos() - 1)).as("failure %d", i + 6).isFalse();
            assertThat(far.usable(day.toNanos())).isTrue();
        }
    }

    @Test
    void isDownOnlyWhenConnectsFail() {
        fail(3, false, 0);
        assertThat(health.down(0)).isFalse();
        fail(1, true, 0);
        assertThat(health.down(0)).isTrue();
        assertThat(health.down(2 * SECOND)).as("when the time has passed").isFalse();
    }

    @Test
    void isNeverEjectedWithoutALimit() {
        EndpointHealth never = new EndpointHealth(new UpstreamSettings.Health(
                0,
                Duration.ofSeconds(1),
                Duration.ofSeconds(4),
                new Share(0.5),
                Duration.ZERO,
                KeyDefaults.of(UpstreamSettings.Check.class)));
        for (int i = 0; i < 1000; i++) {
            never.bad(true, 0);
        }
        assertThat(never.usable(0)).isTrue();
    }

    @Test
    void checksMarkItUnhealthyAndHealthy() {
        check(false, false, true, false, false);
        assertThat(health.usable(0)).as("never three in a row").isTrue();
        check(false);
        assertThat(health.usable(0)).isFalse();
        assertThat(health.down(Long.MAX_VALUE)).isTrue();
        check(true, false, true);
        assertThat(health.usable(0)).as("never two in a row").isFalse();
        check(true);
        assertThat(health.usable(0)).isTrue();
    }

    private void check(boolean... found) {
        for (boolean fit : found) {
            health.checked(fit, 0);
        }
    }

    @Test
    void increasesItsShareSlowlyAfterEjection() {
        EndpointHealth slow = health(Duration.ofSeconds(10));
        assertThat(slow.share(0)).as("from the start").isEqualTo(1);
        for (int i = 0; i < 3; i++) {
            slow.bad(false, 0);
        }
        assertThat(slow.share(SECOND)).isEqualTo(0.1);
        assertThat(slow.share(6 * SECOND)).isEqualTo(0.5);
        assertThat(slow.share(11 * SECOND)).isEqualTo(1);
        slow.warm(20 * SECOND);
        assertThat(slow.share(25 * SECOND)).isEqualTo(0.5);
    }

    @Test
    void theTimeBeginsWithTheLastFailure() {
        fail(3, false, 100 * SECOND);
        assertThat(health.usable(101 * SECOND - 1)).isFalse();
        assertThat(health.usable(101 * SECOND)).isTrue();
    }

    @Test
    void anEndpointThatPassesChecksAgainStartsSlowly() {
        EndpointHealth slow = health(Duration.ofSeconds(10));
        for (int i = 0; i < 3; i++) {
            slow.checked(false, 0);
        }
        assertThat(slow.share(0)).as("excluded").isEqualTo(1);
        slow.checked(true, SECOND);
        slow.checked(true, 2 * SECOND);
        assertThat(slow.usable(2 * SECOND)).isTrue();
        assertThat(slow.share(7 * SECOND)).isEqualTo(0.5);
    }
}
