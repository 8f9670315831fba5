package dev.postern.auth.testing;

import io.netty.util.concurrent.MockTicker;
import io.netty.util.concurrent.Ticker;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.concurrent.AbstractExecutorService;
import java.util.concurrent.Callable;
import java.util.concurrent.Delayed;
import java.util.concurrent.FutureTask;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;

/** Executor that runs tasks when the test says so, and whose time the test moves. */
public final class ManualThread extends AbstractExecutorService implements ScheduledExecutorService {

    private final MockTicker ticker = Ticker.newMockTicker();
    private final PriorityQueue<Task<?>> tasks =
            new PriorityQueue<>(Comparator.<Task<?>>comparingLong(t -> t.due).thenComparingLong(t -> t.number));
    private final Instant start;
    private long count;
    private boolean shutdown;

    /** @param start the instant at which the clock begins */
    public ManualThread(Instant start) {
        this.start = start;
    }

    public Ticker ticker() {
        return ticker;
    }

    public InstantSource clock() {
        return () -> start.plusNanos(ticker.nanoTime());
    }

    /** Returns the number of tasks that wait for their time. */
    public int waiting() {
        return tasks.size();
    }

    /** Runs the tasks that are due. */
    public void run() {
        pass(Duration.ZERO);
    }

    /** Lets time pass, and runs each task at its time. */
    public void pass(Duration time) {
        long end = ticker.nanoTime() + time.toNanos();
        for (Task<?> next = tasks.peek(); next != null && next.due <= end; next = tasks.peek()) {
            tasks.remove(next);
            ticker.advance(Math.max(0, next.due - ticker.nanoTime()), TimeUnit.NANOSECONDS);
            next.run();
        }
        ticker.advance(end - ticker.nanoTime(), TimeUnit.NANOSECONDS);
    }

    private final class Task<V> extends FutureTask<V> implements ScheduledFuture<V> {

        private final long due;
        private final long number = count++;

        Task(Callable<V> call, long delay) {
            super(call);
            due = ticker.nanoTime() + delay;
        }

        @Override
        public boolean cancel(boolean interrupt) {
            tasks.remove(this);
            return super.cancel(interrupt);
        }

        @Override
        public long getDelay(TimeUnit unit) {
            return unit.convert(due - ticker.nanoTime(), TimeUnit.NANOSECONDS);
        }

        @Override
        public int compareTo(Delayed other) {
            return Long.compare(getDelay(TimeUnit.NANOSECONDS), other.getDelay(TimeUnit.NANOSECONDS));
        }
    }

    @Override
    public void execute(Runnable command) {
        schedule(command, 0, TimeUnit.NANOSECONDS);
    }

    @Override
    public ScheduledFuture<?> schedule(Runnable command, long delay, TimeUnit unit) {
        return schedule(
                () -> {
                    command.run();
                    return true;
                },
                delay,
                unit);
    }

    @Override
    public <V> ScheduledFuture<V> schedule(Callable<V> call, long delay, TimeUnit unit) {
        Task<V> task = new Task<>(call, unit.toNanos(delay));
        if (!shutdown) {
            tasks.add(task);
        }
        return task;
    }

    @Override
    public ScheduledFuture<?> scheduleAtFixedRate(Runnable command, long delay, long period, TimeUnit unit) {
        throw new UnsupportedOperationException();
    }

    @Override
    public ScheduledFuture<?> scheduleWithFixedDelay(Runnable command, long delay, long period, TimeUnit unit) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void shutdown() {
        shutdown = true;
    }

    @Override
    public List<Runnable> shutdownNow() {
        shutdown = true;
        List<Runnable> left = new ArrayList<>(tasks);
        tasks.clear();
        return left;
    }

    @Override
    public boolean isShutdown() {
        return shutdown;
    }

    @Override
    public boolean isTerminated() {
        return shutdown;
    }

    @Override
    public boolean awaitTermination(long timeout, TimeUnit unit) {
        return shutdown;
    }
}
