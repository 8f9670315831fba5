package dev.postern.auth.spend.store;

import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static java.util.concurrent.TimeUnit.NANOSECONDS;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.auth.spend.SpendResult;
import io.netty.util.concurrent.MockTicker;
import io.netty.util.concurrent.Ticker;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class LedgerSchedulerTest {

    private final LedgerScheduler scheduler = new LedgerScheduler(Ticker.systemTicker());

    @AfterEach
    void close() {
        scheduler.close();
    }

    @Test
    void continuesAfterAnException() throws InterruptedException {
        CountDownLatch three = new CountDownLatch(3);
        scheduler.every(
                () -> {
                    three.countDown();
                    throw new IllegalStateException("on purpose");
                },
                1);

        assertThat(three.await(10, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void excludesPausesFromItsClock() {
        MockTicker clock = Ticker.newMockTicker();
        LedgerScheduler watched = new LedgerScheduler(clock);
        Runnable work = () -> clock.advance(900, MILLISECONDS);
        LedgerScheduler.Rounds rounds = watched.new Rounds(work, MILLISECONDS.toNanos(50));
        long start = watched.nanos();

        clock.advance(60, MILLISECONDS);
        rounds.run();
        assertThat(watched.nanos() - start)
                .as("a little late, and long in one task: a name that was not resolved at once")
                .isEqualTo(MILLISECONDS.toNanos(960));

        clock.advance(7, SECONDS);
        rounds.run();
        assertThat(watched.nanos() - start).isEqualTo(MILLISECONDS.toNanos(960 + 50 + 900));
        watched.close();
    }

    @Test
    void returnsFromStartWhenTheLedgerIsReady() {
        AtomicInteger rounds = new AtomicInteger();

        scheduler.start(rounds::incrementAndGet, 1, () -> rounds.get() >= 3);

        assertThat(rounds.get()).isGreaterThanOrEqualTo(3);
    }

    @Test
    void returnsFromStartAlsoWhenTheLedgerIsNotReady() {
        AtomicInteger asked = new AtomicInteger();
        AtomicInteger rounds = new AtomicInteger();

        scheduler.start(rounds::incrementAndGet, 1, () -> {
            asked.incrementAndGet();
            return false;
        });

        assertThat(asked.get()).as("waits for readiness").isGreaterThan(2);
        assertThat(rounds.get()).isPositive();
    }

    @Test
    void waitsOneSecondForReadiness() {
        MockTicker clock = Ticker.newMockTicker();
        LedgerScheduler watched = new LedgerScheduler(clock);
        AtomicInteger asked = new AtomicInteger();

        watched.start(() -> {}, 1, () -> {
            asked.incrementAndGet();
            clock.advance(500, MILLISECONDS);
            return false;
        });

        assertThat(asked).hasValue(2);
        watched.close();
    }

    @Test
    void hasATickerThatExcludesPauses() throws InterruptedException {
        MockTicker clock = Ticker.newMockTicker();
        List<Long> sleeps = new ArrayList<>();
        LedgerScheduler watched = new LedgerScheduler(new Ticker() {
            @Override
            public long initialNanoTime() {
                return -7;
            }

            @Override
            public long nanoTime() {
                return clock.nanoTime();
            }

            @Override
            public void sleep(long delay, TimeUnit unit) {
                sleeps.add(unit.toNanos(delay));
            }
        });
        LedgerScheduler.Rounds rounds = watched.new Rounds(() -> {}, MILLISECONDS.toNanos(50));
        clock.advance(7, SECONDS);
        rounds.run();

        assertThat(watched.unpaused().nanoTime()).isEqualTo(MILLISECONDS.toNanos(50));
        assertThat(watched.unpaused().initialNanoTime()).isEqualTo(-7);
        watched.unpaused().sleep(3, MILLISECONDS);
        assertThat(sleeps).containsExactly(MILLISECONDS.toNanos(3));
        watched.close();
    }

    @Test
    void keepsTheInterruptOfACloseThatWaits() {
        scheduler.now(() -> {});
        Thread.currentThread().interrupt();

        scheduler.close();

        assertThat(Thread.interrupted()).isTrue();
    }

    @Test
    void countsNoPauseUpToAQuarterOfASecond() {
        MockTicker clock = Ticker.newMockTicker();
        LedgerScheduler watched = new LedgerScheduler(clock);
        LedgerScheduler.Rounds rounds = watched.new Rounds(() -> {}, MILLISECONDS.toNanos(50));
        long start = watched.nanos();

        clock.advance(300, MILLISECONDS);
        rounds.run();
        assertThat(watched.nanos() - start).isEqualTo(MILLISECONDS.toNanos(300));
        clock.advance(MILLISECONDS.toNanos(300) + 1, NANOSECONDS);
        rounds.run();
        assertThat(watched.nanos() - start).isEqualTo(MILLISECONDS.toNanos(350));
        watched.close();
    }

    @Test
    void usesOneDaemonThread() throws Exception {
        CompletableFuture<Thread> first = new CompletableFuture<>();
        CompletableFuture<Thread> second = new CompletableFuture<>();
        scheduler.now(() -> first.complete(Thread.currentThread()));
        scheduler.later(() -> second.complete(Thread.currentThread()), 1);

        Thread thread = first.get(10, TimeUnit.SECONDS);
        assertThat(second.get(10, TimeUnit.SECONDS)).isSameAs(thread).isNotSameAs(Thread.currentThread());
        assertThat(thread.isDaemon()).isTrue();
        assertThat(thread.getName()).isEqualTo("postern-ledger");
    }

    @Test
    void dropsTasksAfterClose() throws Exception {
        CompletableFuture<Thread> worked = new CompletableFuture<>();
        scheduler.now(() -> worked.complete(Thread.currentThread()));
        Thread thread = worked.get(10, TimeUnit.SECONDS);
        AtomicInteger late = new AtomicInteger();

        scheduler.close();
        scheduler.now(late::incrementAndGet);

        thread.join(10_000);
        assertThat(thread.isAlive()).isFalse();
        assertThat(late).hasValue(0);
    }

    @Test
    void completesOtherSpendsWhenAListenerThrows() {
        SpendResult[] completed = new SpendResult[1];
        CompletedSpend.notify(
                spend -> {
                    completed[0] = spend.result();
                    throw new IllegalStateException("on purpose");
                },
                CompletedSpend.SPENT);

        assertThat(completed[0]).isEqualTo(SpendResult.SPENT);
        assertThat(CompletedSpend.BUSY.busy()).isTrue();
        assertThat(CompletedSpend.UNKNOWN.busy()).isFalse();
    }
}
