package dev.postern.core.tunnel;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.util.concurrent.MockTicker;
import io.netty.util.concurrent.Ticker;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class TunnelTimersTest {

    private static final Duration IDLE = Duration.ofMinutes(5);

    private final MockTicker ticker = Ticker.newMockTicker();
    private final EmbeddedChannel channel =
            EmbeddedChannel.builder().ticker(ticker).build();
    private int ended;

    private TunnelTimers timers(Duration lifetime) {
        return new TunnelTimers(channel.eventLoop(), IDLE, lifetime, () -> ended++);
    }

    private void pass(Duration time) {
        ticker.advance(time.toNanos(), TimeUnit.NANOSECONDS);
        channel.runScheduledPendingTasks();
    }

    @Test
    void endsASilentTunnel() {
        timers(Duration.ZERO);
        pass(IDLE.minusNanos(1));
        assertThat(ended).isZero();

        pass(Duration.ofNanos(1));
        assertThat(ended).isEqualTo(1);
    }

    @Test
    void dataRestartsTheIdleTime() {
        TunnelTimers timers = timers(Duration.ZERO);
        for (int i = 0; i < 10; i++) {
            pass(IDLE.minusSeconds(1));
            assertThat(timers.moved()).isEqualTo(ticker.nanoTime());
        }
        assertThat(ended).isZero();

        pass(IDLE);
        assertThat(ended).isEqualTo(1);
    }

    @Test
    void endsATunnelOfItsMaximumAge() {
        TunnelTimers timers = timers(Duration.ofMinutes(12));
        for (int minute = 1; minute < 12; minute++) {
            pass(Duration.ofMinutes(1));
            timers.moved();
        }
        assertThat(ended).isZero();

        pass(Duration.ofMinutes(1));
        assertThat(ended).isEqualTo(1);
    }

    @Test
    void aDrainShortensTheIdleTime() {
        timers(Duration.ZERO).drain();
        pass(Duration.ofNanos(TunnelTimers.DRAIN_IDLE - 1));
        assertThat(ended).isZero();

        pass(Duration.ofNanos(1));
        assertThat(ended).isEqualTo(1);
    }

    @Test
    void knowsHowLongTheTunnelIsIdle() {
        TunnelTimers timers = timers(Duration.ZERO);
        pass(Duration.ofSeconds(3));
        assertThat(timers.idleNanos(timers.now())).isEqualTo(TimeUnit.SECONDS.toNanos(3));
        timers.moved();
        assertThat(timers.idleNanos(timers.now())).isZero();
    }

    @Test
    void endsAtOnceAndOnce() {
        timers(Duration.ofMinutes(12)).end();
        assertThat(ended).isEqualTo(1);
        pass(Duration.ofHours(1));
        assertThat(ended).isEqualTo(1);
    }

    @Test
    void stopsBothTimers() {
        timers(Duration.ofMinutes(12)).stop();
        pass(Duration.ofHours(1));
        assertThat(ended).isZero();
    }

    /** Tunnels that the drain finds in use have until its end. */
    @Test
    void aDrainedTunnelThatIsUsedStaysOpen() {
        TunnelTimers timers = timers(Duration.ZERO);
        timers.drain();
        for (int i = 0; i < 10; i++) {
            pass(Duration.ofNanos(TunnelTimers.DRAIN_IDLE - 1));
            timers.moved();
        }
        assertThat(ended).isZero();
    }
}
