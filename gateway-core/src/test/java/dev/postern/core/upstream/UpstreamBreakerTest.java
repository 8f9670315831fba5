package dev.postern.core.upstream;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.core.testing.KeyDefaults;
import dev.postern.core.upstream.endpoint.UpstreamSettings;
import io.netty.util.concurrent.MockTicker;
import io.netty.util.concurrent.Ticker;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Tests the times of {@link UpstreamBreaker}, which the library and the gateway must measure alike. */
class UpstreamBreakerTest {

    private static final UpstreamSettings.Breaker SETTINGS = KeyDefaults.of(UpstreamSettings.Breaker.class);

    private final MockTicker ticker = Ticker.newMockTicker();
    private final UpstreamBreaker breaker = new UpstreamBreaker("app", SETTINGS, ticker);

    private void fail(int times) {
        for (int i = 0; i < times; i++) {
            assertThat(breaker.permits()).isTrue();
            breaker.failed();
        }
    }

    @Test
    void triesAgainWhenItsTickerHasWaited() {
        fail(SETTINGS.minimumNumberOfCalls());
        assertThat(breaker.open(ticker.nanoTime())).isTrue();
        assertThat(breaker.permits()).isFalse();

        long wait = SETTINGS.waitDurationInOpenState().toNanos();
        ticker.advance(wait - TimeUnit.MILLISECONDS.toNanos(1), TimeUnit.NANOSECONDS);
        assertThat(breaker.open(ticker.nanoTime())).isTrue();
        assertThat(breaker.permits()).isFalse();

        ticker.advance(2, TimeUnit.MILLISECONDS);
        assertThat(breaker.open(ticker.nanoTime())).isFalse();
        assertThat(breaker.permits()).isTrue();
    }

    @Test
    void forgetsFailuresOlderThanItsWindow() {
        fail(SETTINGS.minimumNumberOfCalls() - 1);
        ticker.advance(SETTINGS.slidingWindowSize().toSeconds() + 1, TimeUnit.SECONDS);
        fail(1);

        assertThat(breaker.permits()).isTrue();
    }

    @Test
    void anExchangeWithoutAResultGivesItsTrialToAnother() {
        fail(SETTINGS.minimumNumberOfCalls());
        ticker.advance(SETTINGS.waitDurationInOpenState().toNanos() + 1_000_000, TimeUnit.NANOSECONDS);
        for (int i = 0; i < 3 * SETTINGS.permittedNumberOfCallsInHalfOpenState(); i++) {
            assertThat(breaker.permits()).isTrue();
            breaker.withdrawn();
        }
        assertThat(breaker.value()).isEqualTo(0.5);
    }
}
