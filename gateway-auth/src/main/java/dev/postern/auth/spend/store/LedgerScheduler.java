package dev.postern.auth.spend.store;

import io.netty.util.concurrent.Ticker;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Scheduler with one thread for the ledger's work outside of exchanges: epoch markers, reconnects, refunds. Thread-safe.
 *
 * <p>The scheduler has a clock of its own, which measures how long a server has not responded. Pauses of the whole process (garbage
 * collector, hypervisor) are subtracted from this clock, since responses may be unread after a pause through no fault of the server.
 */
public final class LedgerScheduler {

    /** Minimum delay of a round that counts as a pause of the process: this thread has nothing else to do. */
    private static final long SHORTEST_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(250);

    private static final Logger LOG = LoggerFactory.getLogger(LedgerScheduler.class);
    private static final long START_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final long CLOSE_SECONDS = 2;

    private final ScheduledThreadPoolExecutor executor = new ScheduledThreadPoolExecutor(1, task -> {
        Thread thread = new Thread(task, "postern-ledger");
        thread.setDaemon(true);
        return thread;
    });
    private final Ticker ticker;
    private final Ticker unpaused = new UnpausedTicker();
    private final AtomicLong pausedNanos = new AtomicLong();

    public LedgerScheduler(Ticker ticker) {
        this.ticker = ticker;
    }

    /** Returns the ticker of the process. */
    public Ticker ticker() {
        return ticker;
    }

    /** Returns a ticker that goes as {@link #nanos} does. */
    public Ticker unpaused() {
        return unpaused;
    }

    /** Returns the time of the ticker minus the total of all pauses detected between two rounds of {@link #every}. */
    public long nanos() {
        return ticker.nanoTime() - pausedNanos.get();
    }

    public void now(Runnable task) {
        later(task, 0);
    }

    /** Runs the task after a delay. Drops the task after {@link #close}. */
    public void later(Runnable task, long millis) {
        try {
            executor.schedule(guarded(task), millis, TimeUnit.MILLISECONDS);
        } catch (RejectedExecutionException e) {
            LOG.debug("ledger is closed; task dropped");
        }
    }

    public void every(Runnable task, long millis) {
        executor.scheduleWithFixedDelay(
                new Rounds(guarded(task), TimeUnit.MILLISECONDS.toNanos(millis)), 0, millis, TimeUnit.MILLISECONDS);
    }

    /**
     * Runs the task periodically, and waits at most one second until the ledger is ready. Not for event loops.
     *
     * @param millis pause between two rounds
     */
    public void start(Runnable task, long millis, BooleanSupplier ready) {
        every(task, millis);
        long end = ticker.nanoTime() + START_NANOS;
        while (!ready.getAsBoolean() && ticker.nanoTime() - end < 0) {
            LockSupport.parkNanos(1_000_000);
        }
    }

    public void close() {
        executor.shutdownNow();
        try {
            // The running task must not open another connection after all connections were closed.
            if (!executor.awaitTermination(CLOSE_SECONDS, TimeUnit.SECONDS)) {
                LOG.warn("ledger thread still busy after {} s", CLOSE_SECONDS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static Runnable guarded(Runnable task) {
        return () -> {
            try {
                task.run();
            } catch (RuntimeException e) {
                LOG.error("ledger task failed", e);
            }
        };
    }

    /** Ticker without the pauses of the process. */
    private final class UnpausedTicker implements Ticker {

        @Override
        public long initialNanoTime() {
            return ticker.initialNanoTime();
        }

        @Override
        public long nanoTime() {
            return nanos();
        }

        @Override
        public void sleep(long delay, TimeUnit unit) throws InterruptedException {
            ticker.sleep(delay, unit);
        }
    }

    /** Periodic task that detects when a round starts too late. */
    final class Rounds implements Runnable {

        private final Runnable task;
        private final long pause;
        private long last = nanos();

        Rounds(Runnable task, long pauseNanos) {
            this.task = task;
            this.pause = pauseNanos;
        }

        @Override
        public void run() {
            long late = nanos() - last - pause;
            if (late > SHORTEST_PAUSE_NANOS) {
                pausedNanos.addAndGet(late);
            }
            task.run();
            last = nanos();
        }
    }
}
