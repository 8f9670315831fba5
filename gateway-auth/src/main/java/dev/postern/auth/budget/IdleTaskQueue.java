package dev.postern.auth.budget;

import io.netty.channel.EventLoop;
import io.netty.util.concurrent.Ticker;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.ArrayDeque;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Queue of work that one event loop does only when idle: first in, first out, bounded. Work that waited too long is not run; its {@link
 * Work#late} is called. No timer while empty. Confined to its event loop.
 */
final class IdleTaskQueue {

    static final int MAX = 512;
    static final long LONGEST_WAIT_NANOS = TimeUnit.MILLISECONDS.toNanos(200);
    static final long CHECK_EVERY_NANOS = TimeUnit.MILLISECONDS.toNanos(2);

    /** Late work handled per look; handling all of it at once would delay the event loop's other exchanges. */
    static final int LATE_A_LOOK = 16;

    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    private final EventLoop loop;
    private final Ticker ticker;
    private final LongSupplier cpu;
    private final LoopUtilization utilization = new LoopUtilization();
    private final ArrayDeque<Waiting> queue = new ArrayDeque<>();
    private final Runnable check = this::check;

    /** Work to do; exactly one of the methods is called, once, on the event loop. */
    public interface Work {

        void run();

        /** Called instead of {@link #run} when the work waited too long. */
        void late();
    }

    private record Waiting(Work work, long since) {}

    public IdleTaskQueue(EventLoop loop) {
        this(loop, loop.ticker(), THREADS::getCurrentThreadCpuTime);
    }

    /** @param cpu nanoseconds of CPU time of the event loop's thread; called on the event loop */
    IdleTaskQueue(EventLoop loop, Ticker ticker, LongSupplier cpu) {
        this.loop = loop;
        this.ticker = ticker;
        this.cpu = cpu;
    }

    /** Queues the work. Returns false when the queue is full; the work is not queued then. */
    public boolean offer(Work work) {
        if (full()) {
            return false;
        }
        long now = ticker.nanoTime();
        if (queue.isEmpty()) {
            utilization.begin(now, cpu.getAsLong());
            loop.schedule(check, CHECK_EVERY_NANOS, TimeUnit.NANOSECONDS);
        }
        queue.add(new Waiting(work, now));
        return true;
    }

    boolean full() {
        return queue.size() >= MAX;
    }

    int size() {
        return queue.size();
    }

    void check() {
        long now = ticker.nanoTime();
        long end = now + utilization.slice(now, cpu.getAsLong());
        Waiting late = queue.peek();
        for (int i = 0; i < LATE_A_LOOK && late != null && now - late.since >= LONGEST_WAIT_NANOS; i++) {
            queue.remove();
            late.work.late();
            late = queue.peek();
        }
        for (Waiting first = queue.peek(); first != null && ticker.nanoTime() - end < 0; first = queue.peek()) {
            queue.remove();
            first.work.run();
        }
        if (!queue.isEmpty()) {
            loop.schedule(check, CHECK_EVERY_NANOS, TimeUnit.NANOSECONDS);
        }
    }

    /**
     * Utilization of an event loop: the time between two looks in which the thread used no CPU is idle. Half of the idle time may be used, in
     * short slices, and none when more than three quarters of the time are busy. Confined to its event loop.
     */
    static final class LoopUtilization {

        /** Nanoseconds of the longest slice: the delay that one slice can add to other exchanges. */
        static final long LONGEST_SLICE = 150_000;

        private long wall;
        private long cpu;

        /** Starts a period; both times are nanoseconds. */
        void begin(long wallNow, long cpuNow) {
            wall = wallNow;
            cpu = cpuNow;
        }

        /** Returns the nanoseconds that may be used now, computed from the period since the last look. */
        long slice(long wallNow, long cpuNow) {
            long passed = wallNow - wall;
            long idle = passed - (cpuNow - cpu);
            begin(wallNow, cpuNow);
            return idle * 4 < passed ? 0 : Math.min(idle / 2, LONGEST_SLICE);
        }
    }
}
