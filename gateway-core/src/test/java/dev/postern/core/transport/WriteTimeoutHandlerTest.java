package dev.postern.core.transport;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.core.testing.EmbeddedSocket;
import dev.postern.core.testing.LeakExtension;
import io.netty.buffer.Unpooled;
import io.netty.channel.WriteBufferWaterMark;
import io.netty.util.concurrent.MockTicker;
import io.netty.util.concurrent.Ticker;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Tests {@link WriteTimeoutHandler} and {@link StalledWriteReset} with a socket that takes nothing, on a loop whose time a test moves. */
@ExtendWith(LeakExtension.class)
class WriteTimeoutHandlerTest {

    private static final Duration TIMEOUT = Duration.ofSeconds(20);

    private final MockTicker ticker = Ticker.newMockTicker();
    private final OutboundBytesLimiter limiter = new OutboundBytesLimiter(0);
    private final EmbeddedSocket channel = new EmbeddedSocket(ticker);
    private int stalled;

    WriteTimeoutHandlerTest() {
        channel.fill();
        channel.pipeline().addFirst(new WriteTimeoutHandler(channel, TIMEOUT, limiter, () -> stalled++));
    }

    @AfterEach
    void close() {
        channel.drain();
        channel.finishAndReleaseAll();
    }

    private void write(int bytes) {
        channel.writeAndFlush(Unpooled.wrappedBuffer(new byte[bytes]));
    }

    private void pass(Duration time) {
        for (long second = 0; second < time.toSeconds(); second++) {
            ticker.advance(1, TimeUnit.SECONDS);
            channel.runScheduledPendingTasks();
        }
    }

    @Test
    void closesWhenNothingIsTakenForTheTime() {
        write(100);
        pass(TIMEOUT.minusSeconds(1));
        assertThat(channel.isOpen()).isTrue();
        assertThat(limiter.waiting()).isGreaterThan(100);

        pass(Duration.ofSeconds(1));
        assertThat(channel.isOpen()).isFalse();
        assertThat(stalled).isEqualTo(1);
        assertThat(limiter.waiting()).isZero();
    }

    @Test
    void keepsAChannelThatTakesBytesInTime() {
        for (int i = 0; i < 3; i++) {
            write(100);
            pass(TIMEOUT.minusSeconds(1));
            channel.drain();
            pass(Duration.ofSeconds(1));
            channel.fill();
        }

        assertThat(channel.isOpen()).isTrue();
        assertThat(stalled).isZero();
        assertThat(limiter.waiting()).isZero();
    }

    @Test
    void stopsWatchingAChannelThatHasTakenEverything() {
        write(100);
        pass(Duration.ofSeconds(1));
        channel.drain();
        pass(TIMEOUT.multipliedBy(3));

        assertThat(channel.isOpen()).isTrue();
        assertThat(stalled).isZero();
    }

    @Test
    void doesNotWatchATunnel() {
        WriteTimeoutHandler.exempt(channel.pipeline());
        write(100);
        pass(TIMEOUT.multipliedBy(10));

        assertThat(channel.isOpen()).isTrue();
        assertThat(limiter.waiting()).as("still counted").isGreaterThan(100);
    }

    @Test
    void resetsAClosingChannelThatTakesNothing() {
        channel.pipeline().removeFirst();
        write(100);
        StalledWriteReset.watch(channel, Duration.ofSeconds(8));
        pass(Duration.ofSeconds(7));
        assertThat(channel.isOpen()).isTrue();

        pass(Duration.ofSeconds(1));
        assertThat(channel.isOpen()).isFalse();
    }

    @Test
    void aClosingChannelThatTakesBytesIsNotReset() {
        channel.pipeline().removeFirst();
        write(100);
        StalledWriteReset.watch(channel, Duration.ofSeconds(8));
        pass(Duration.ofSeconds(7));
        channel.drain();
        channel.fill();
        write(100);
        pass(Duration.ofSeconds(7));
        assertThat(channel.isOpen()).isTrue();
    }

    @Test
    void everyChannelGetsASmallBufferWhileTooManyBytesWait() {
        OutboundBytesLimiter small = new OutboundBytesLimiter(50);
        WriteBufferWaterMark usual = channel.config().getWriteBufferWaterMark();
        channel.pipeline().removeFirst();
        channel.pipeline().addFirst(new WriteTimeoutHandler(channel, TIMEOUT, small, () -> stalled++));
        write(100);
        channel.flush();
        assertThat(channel.config().getWriteBufferWaterMark().high()).isEqualTo(32 * 1024);

        channel.drain();
        channel.flush();
        assertThat(small.waiting()).isZero();
        assertThat(channel.config().getWriteBufferWaterMark()).isEqualTo(usual);
    }

    @Test
    void aClosedChannelOwesTheLimiterNothing() {
        write(100);
        assertThat(limiter.waiting()).isPositive();
        channel.close();
        channel.runPendingTasks();
        assertThat(limiter.waiting()).isZero();
    }
}
