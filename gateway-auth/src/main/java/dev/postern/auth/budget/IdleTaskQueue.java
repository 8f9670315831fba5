package dev.postern.auth.budget;

import io.netty.channel.EventLoop;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.ArrayDeque;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Work of one event loop for which there is time only when there is nothing else to do: first in, first out, bounded, and each piece is
 * told when its time is over. Asleep while empty. Confined to its loop.
 */
public final class IdleTaskQueue {

    static final int MAX = 512;
    static final long LONGEST_WAIT_NANOS = TimeUnit.MILLISECONDS.toNanos(200);
    static final long LOOK_EVERY_NANOS = TimeUnit.MILLISECONDS.toNanos(2);

    /** What came at once is told at intervals that it is late, or the loop's other exchanges would wait for all of it. */
    static final int LATE_A_LOOK = 16;

    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    private final EventLoop loop;
    private final LongSupplier wall;
    private final LongSupplier cpu;
    private final LoopUtilization spare = new LoopUtilization();
    private final ArrayDeque<Waiting> queue = new ArrayDeque<>();
    private final Runnable look = this::look;

    /** A piece of work: exactly one of its methods is called, once, on the loop. */
    public interface Work {

        void run();

        /** There was no time for it. */
        void late();
    }

    private record Waiting(Work work, long since) {}

    public IdleTaskQueue(EventLoop loop) {
        this(loop, System::nanoTime, THREADS::getCurrentThreadCpuTime);
    }

    /** @param cpu nanoseconds that the loop's thread has computed; asked on the loop */
    IdleTaskQueue(EventLoop loop, LongSupplier wall, LongSupplier cpu) {
        this.loop = loop;
        this.wall = wall;
        this.cpu = cpu;
    }

    /** Takes the work; false when it is full and the work is not taken. */
    public boolean offer(Work work) {
        if (full()) {
            return false;
        }
        long now = wall.getAsLong();
        if (queue.isEmpty()) {
            spare.begin(now, cpu.getAsLong());
            loop.schedule(look, LOOK_EVERY_NANOS, TimeUnit.NANOSECONDS);
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

    void look() {
        long now = wall.getAsLong();
        long end = now + spare.slice(now, cpu.getAsLong());
        Waiting late = queue.peek();
        for (int i = 0; i < LATE_A_LOOK && late != null && now - late.since >= LONGEST_WAIT_NANOS; i++) {
            queue.remove();
            late.work.late();
            late = queue.peek();
        }
        for (Waiting first = queue.peek(); first != null && wall.getAsLong() - end < 0; first = queue.peek()) {
            queue.remove();
            first.work.run();
        }
        if (!queue.isEmpty()) {
            loop.schedule(look, LOOK_EVERY_NANOS, TimeUnit.NANOSECONDS);
        }
    }
}
