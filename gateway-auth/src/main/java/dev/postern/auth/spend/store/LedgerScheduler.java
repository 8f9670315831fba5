package dev.postern.auth.spend.store;

import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The ledger's one thread of its own, for what is not on the path of an exchange: marks, reconnects, giving back. Thread-safe.
 *
 * <p>It keeps its own time, in which a server's silence is measured: when the whole process stood still, for a collector or a hypervisor,
 * the responses may lie unread, and nobody is to be blamed for it.
 */
public final class LedgerScheduler {

    /** Nothing but a standstill keeps a thread that has nothing else to do for so long. */
    private static final long STANDSTILL_NANOS = TimeUnit.MILLISECONDS.toNanos(250);

    private static final Logger LOG = LoggerFactory.getLogger(LedgerScheduler.class);
    private static final long CLOSE_SECONDS = 2;

    private final ScheduledThreadPoolExecutor executor = new ScheduledThreadPoolExecutor(1, task -> {
        Thread thread = new Thread(task, "postern-ledger");
        thread.setDaemon(true);
        return thread;
    });
    private final LongSupplier clock;
    private final AtomicLong stoodStill = new AtomicLong();

    public LedgerScheduler() {
        this(System::nanoTime);
    }

    /** @param clock instead of {@link System#nanoTime} */
    LedgerScheduler(LongSupplier clock) {
        this.clock = clock;
    }

    /** {@link System#nanoTime} less all the time for which this thread stood still between two rounds of {@link #every}. */
    public long nanos() {
        return clock.getAsLong() - stoodStill.get();
    }

    public void now(Runnable task) {
        later(task, 0);
    }

    /** Tasks that come after {@link #close} are dropped. */
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

    public void close() {
        executor.shutdownNow();
        try {
            // What it was doing is not to open another connection after those there are were closed.
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

    /** A task that is done in rounds, and notices when one comes too late. */
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
            if (late > STANDSTILL_NANOS) {
                stoodStill.addAndGet(late);
            }
            task.run();
            last = nanos();
        }
    }
}
