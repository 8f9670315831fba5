package dev.postern.auth.spend.remote;

import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The ledger's one thread of its own, for what is not on the path of an exchange: marks, reconnects, giving back. Thread-safe. */
public final class Tender {

    private static final Logger LOG = LoggerFactory.getLogger(Tender.class);
    private static final long CLOSE_SECONDS = 2;

    private final ScheduledThreadPoolExecutor executor = new ScheduledThreadPoolExecutor(1, task -> {
        Thread thread = new Thread(task, "postern-ledger");
        thread.setDaemon(true);
        return thread;
    });

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
        executor.scheduleWithFixedDelay(guarded(task), 0, millis, TimeUnit.MILLISECONDS);
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
}
