package dev.postern.core.overload;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.channel.DefaultEventLoop;
import io.netty.channel.EventLoop;
import io.netty.util.internal.PlatformDependent;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class OverloadFiguresTest {

    private static final int MEBI = 1024 * 1024;
    private static final int SIZE = 64 * MEBI;

    @Test
    void heapCountsReachableObjectsOnly() {
        HeapMonitor monitor = new HeapMonitor();
        System.gc();
        double shareBefore = monitor.share();
        for (int i = 0; i < 32; i++) {
            assertThat(new byte[MEBI / 4]).hasSize(MEBI / 4); // unreachable, and not collected yet
        }
        assertThat(monitor.share() - shareBefore)
                .isLessThan(4.0 * MEBI / Runtime.getRuntime().maxMemory());
        byte[][] kept = new byte[4][];
        for (int i = 0; i < kept.length; i++) {
            kept[i] = new byte[SIZE / 4];
        }
        System.gc();
        double full = monitor.share();
        assertThat(full - shareBefore)
                .isGreaterThan(0.9 * SIZE / Runtime.getRuntime().maxMemory());
        assertThat(kept[3]).hasSize(SIZE / 4);
        kept = new byte[0][];
        System.gc();
        assertThat(monitor.share())
                .isLessThan(full - 0.9 * SIZE / Runtime.getRuntime().maxMemory());
        assertThat(kept).isEmpty();
    }

    @Test
    void directMemoryCountsBuffers() {
        ByteBufAllocator allocator = PooledByteBufAllocator.DEFAULT;
        DirectMemoryMonitor memoryMonitor = new DirectMemoryMonitor(allocator);
        double shareBefore = memoryMonitor.share();
        ByteBuf large = allocator.directBuffer(SIZE);
        double shareWithBuffer = memoryMonitor.share();
        large.release();
        double share = (double) SIZE / PlatformDependent.maxDirectMemory();
        assertThat(shareWithBuffer - shareBefore).isBetween(0.99 * share, 1.2 * share);
        assertThat(memoryMonitor.share()).isLessThan(shareWithBuffer - 0.9 * share);
    }

    @Test
    void lagIsTheMedianOfTheLoops() {
        assertThat(EventLoopLagMonitor.typical(new long[] {})).isZero();
        assertThat(EventLoopLagMonitor.typical(new long[] {7})).isEqualTo(7);
        assertThat(EventLoopLagMonitor.typical(new long[] {7, 0})).isEqualTo(7);
        assertThat(EventLoopLagMonitor.typical(new long[] {9, 0, 1})).isEqualTo(1);
        assertThat(EventLoopLagMonitor.typical(new long[] {9, 0, 8, 0})).isEqualTo(8);
        assertThat(EventLoopLagMonitor.typical(new long[] {9, 0, 0, 0})).isZero();
    }

    @Test
    void showsTheWorstLoopDuringItsDelayAndForSomeTimeAfter() throws InterruptedException {
        EventLoop kept = new DefaultEventLoop();
        EventLoop free = new DefaultEventLoop();
        try {
            EventLoopLagMonitor lagMonitor = new EventLoopLagMonitor(List.of(free, kept));
            CountDownLatch end = new CountDownLatch(1);
            kept.execute(() -> awaitQuietly(end));
            lagMonitor.seconds();
            assertThat(lagMonitor.worst()).isZero();
            long sent = System.nanoTime();
            while (System.nanoTime() - sent < 1_000_000) {
                Thread.onSpinWait();
            }
            lagMonitor.seconds();
            double worst = lagMonitor.worst();
            assertThat(worst).isGreaterThan(0.001);
            end.countDown();
            for (int i = 0; i < 19; i++) {
                lagMonitor.seconds();
                assertThat(lagMonitor.worst()).isGreaterThanOrEqualTo(worst);
            }
        } finally {
            kept.shutdownGracefully();
            free.shutdownGracefully();
        }
    }

    @Test
    void aLongTaskIsOneSample() throws InterruptedException {
        EventLoop loop = new DefaultEventLoop();
        try {
            EventLoopLagMonitor lagMonitor = new EventLoopLagMonitor(List.of(loop));
            CountDownLatch end = new CountDownLatch(1);
            CountDownLatch begun = new CountDownLatch(1);
            loop.execute(() -> {
                begun.countDown();
                awaitQuietly(end);
            });
            assertThat(begun.await(10, TimeUnit.SECONDS)).isTrue();
            assertThat(lagMonitor.seconds()).isZero();
            for (int sample = 0; sample < 20; sample++) {
                assertThat(lagMonitor.seconds()).isZero(); // no sample exists before the task ends
            }
            end.countDown();
            drain(loop);
            assertThat(lagMonitor.seconds()).isPositive();
            double late = lagMonitor.seconds();
            drain(loop);
            lagMonitor.seconds();
            drain(loop);
            assertThat(lagMonitor.seconds()).isNotEqualTo(late);
        } finally {
            loop.shutdownGracefully(0, 1, TimeUnit.SECONDS).awaitUninterruptibly();
        }
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            latch.await(10, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void drain(EventLoop loop) {
        loop.submit(() -> {}).awaitUninterruptibly();
    }
}
