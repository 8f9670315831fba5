package dev.postern.core.rate;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.util.concurrent.MockTicker;
import io.netty.util.concurrent.Ticker;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class LogRateLimiterTest {

    private final MockTicker ticker = Ticker.newMockTicker();
    private final LogRateLimiter pace = new LogRateLimiter(Gcra.of(10, 1_000_000, 9), ticker);

    @Test
    void admitsTheLimitOfOneSecondAtOnceAndThenSingleLines() {
        assertThat(admitted(100)).isEqualTo(10);
        ticker.advance(99_000_000L, TimeUnit.NANOSECONDS);
        assertThat(admitted(100)).isZero();
        ticker.advance(1_000_000L, TimeUnit.NANOSECONDS);
        assertThat(admitted(100)).isEqualTo(1);
        ticker.advance(60_000_000_000L, TimeUnit.NANOSECONDS);
        assertThat(admitted(100)).isEqualTo(10);
    }

    @Test
    void admitsOneLinePerSecondWithoutBurst() {
        LogRateLimiter seconds = new LogRateLimiter(Gcra.of(1, 1_000_000, 0), ticker);
        assertThat(seconds.tryAcquire()).isTrue();
        ticker.advance(999_999_000L, TimeUnit.NANOSECONDS);
        assertThat(seconds.tryAcquire()).isFalse();
        ticker.advance(1_000L, TimeUnit.NANOSECONDS);
        assertThat(seconds.tryAcquire()).isTrue();
        ticker.advance(60_000_000_000L, TimeUnit.NANOSECONDS);
        assertThat(seconds.tryAcquire()).isTrue();
        assertThat(seconds.tryAcquire()).isFalse();
    }

    @Test
    void keepsTheLimitWithConcurrentThreads() throws InterruptedException {
        CountDownLatch start = new CountDownLatch(1);
        AtomicInteger all = new AtomicInteger();
        Thread[] threads = new Thread[8];
        for (int i = 0; i < threads.length; i++) {
            threads[i] = new Thread(() -> {
                await(start);
                all.addAndGet(admitted(1000));
            });
            threads[i].start();
        }
        start.countDown();
        for (Thread thread : threads) {
            thread.join();
        }
        assertThat(all).hasValue(10);
    }

    private int admitted(int lines) {
        return (int) IntStream.range(0, lines).filter(i -> pace.tryAcquire()).count();
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
