package dev.postern.core.upstream.endpoint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postern.core.config.Share;
import dev.postern.core.testing.KeyDefaults;
import dev.postern.core.testing.RangedSettings;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Tests that each section refuses what is out of bounds, all faults at once. */
class UpstreamSettingsTest {

    private static final Duration YEAR = Duration.ofDays(365);

    @Test
    void timeoutsHaveBounds() {
        assertThatThrownBy(() -> RangedSettings.of(UpstreamSettings.Timeouts.class, Duration.ZERO, YEAR, Duration.ZERO))
                .hasMessageContaining("connect: ")
                .hasMessageContaining("first-byte: ")
                .hasMessageContaining("idle: ");
    }

    @Test
    void poolsHaveBounds() {
        assertThatThrownBy(() -> RangedSettings.of(
                        UpstreamSettings.Pool.class, true, 0, -1, YEAR, true, YEAR, -1, 0, new Share(0)))
                .hasMessageContaining("max-connections: 0 (expected: 1..1000000)")
                .hasMessageContaining("max-pending: -1 (expected: 0..1000000)")
                .hasMessageContaining("idle: ")
                .hasMessageContaining("max-lifetime: ")
                .hasMessageContaining("requests: -1 (expected: 0..")
                .hasMessageContaining("max-streams: 0 (expected: 1..10000)")
                .hasMessageContaining("max-share: 0% (expected: more than 0%)");
    }

    @Test
    void retriesHealthAndChecksHaveBounds() {
        assertThatThrownBy(() -> RangedSettings.of(UpstreamSettings.Retry.class, new Share(1), YEAR))
                .hasMessageContaining("per-try: ");
        UpstreamSettings.Check check = KeyDefaults.of(UpstreamSettings.Check.class);
        assertThatThrownBy(() -> RangedSettings.of(
                        UpstreamSettings.Health.class, -1, Duration.ZERO, Duration.ZERO, new Share(0.5), YEAR, check))
                .hasMessageContaining("failures: -1 (expected: 0..1000000)")
                .hasMessageContaining("ejection: ")
                .hasMessageContaining("max-ejection: ")
                .hasMessageContaining("slow-start: ");
        assertThatThrownBy(() ->
                        RangedSettings.of(UpstreamSettings.Check.class, "healthz?x", "a b", Duration.ZERO, YEAR, 0, 0))
                .hasMessageContaining("path: healthz?x (expected: a path such as /healthz, or null)")
                .hasMessageContaining("host: a b (expected: a host such as app.example, or null)")
                .hasMessageContaining("interval: ")
                .hasMessageContaining("timeout: ")
                .hasMessageContaining("rise: 0 (expected: 1..1000)")
                .hasMessageContaining("fall: 0 (expected: 1..1000)");
    }

    @Test
    void breakersHaveBounds() {
        assertThatThrownBy(() -> RangedSettings.of(
                        UpstreamSettings.Breaker.class, true, new Share(0), Duration.ZERO, 0, Duration.ZERO, 0))
                .hasMessageContaining("failure-rate-threshold: 0% (expected: more than 0%)")
                .hasMessageContaining("sliding-window-size: ")
                .hasMessageContaining("minimum-number-of-calls: 0 ")
                .hasMessageContaining("wait-duration-in-open-state: ")
                .hasMessageContaining("permitted-number-of-calls-in-half-open-state: 0 ");
    }

    @Test
    void checksAndRetriesAreOffByDefault() {
        assertThat(KeyDefaults.of(UpstreamSettings.Check.class).enabled()).isFalse();
        assertThat(new UpstreamSettings.Check("/healthz", null, Duration.ofSeconds(5), Duration.ofSeconds(1), 1, 1)
                        .enabled())
                .isTrue();
        assertThat(KeyDefaults.of(UpstreamSettings.Retry.class).afterSilence()).isFalse();
        assertThat(new UpstreamSettings.Retry(new Share(0), Duration.ofSeconds(1)).afterSilence())
                .as("without a budget, the first byte has all of its time")
                .isFalse();
        assertThat(new UpstreamSettings.Retry(new Share(0.2), Duration.ofSeconds(1)).afterSilence())
                .isTrue();
    }

    @Test
    void aPoolIsCopiedWithAnotherMaximum() {
        UpstreamSettings.Pool pool = KeyDefaults.of(UpstreamSettings.Pool.class);
        assertThat(pool.with(7).maxConnections()).isEqualTo(7);
        assertThat(pool.with(7).with(pool.maxConnections())).isEqualTo(pool);
    }
}
