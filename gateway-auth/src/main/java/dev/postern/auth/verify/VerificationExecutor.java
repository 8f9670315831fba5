package dev.postern.auth.verify;

import io.netty.channel.EventLoop;
import java.time.Duration;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;

/**
 * A few threads for checks that are too long for an event loop, with a short queue before them: what doesn't fit is refused at once, and
 * what waited too long is given up without arithmetic, so that under overload nobody waits for a response that nobody waits for.
 *
 * <p>Thread-safe. No thread is started before the first check.
 */
public final class VerificationExecutor implements AutoCloseable {

    private static final Duration PATIENCE = Duration.ofMillis(500);
    private static final int MAX_THREADS = 4;
    private static final int MAX_WAITING = 256;

    private final ThreadPoolExecutor threads;
    private final long patienceNanos;

    public VerificationExecutor() {
        this(Math.min(MAX_THREADS, Runtime.getRuntime().availableProcessors()), MAX_WAITING, PATIENCE);
    }

    /**
     * @param waiting how many checks wait for a thread at most
     * @param patience the longest wait before a check begins
     */
    public VerificationExecutor(int count, int waiting, Duration patience) {
        patienceNanos = patience.toNanos();
        AtomicInteger number = new AtomicInteger();
        threads = new ThreadPoolExecutor(
                count, count, 10, TimeUnit.SECONDS, new ArrayBlockingQueue<>(waiting), task -> daemon(task, number));
        threads.allowCoreThreadTimeOut(true);
    }

    /** What became of a check. */
    public enum Response {
        ACCEPTED,
        REFUSED,
        /** It waited too long and was not made. */
        GIVEN_UP
    }

    /** Hears the response on the loop. */
    @FunctionalInterface
    public interface Listener {

        void responded(Response response);
    }

    /**
     * Runs the check on another thread and tells the response on the loop.
     *
     * @return false when too many wait already; then the listener hears nothing
     */
    public boolean offer(BooleanSupplier check, EventLoop loop, Listener listener) {
        long deadline = System.nanoTime() + patienceNanos;
        try {
            threads.execute(() -> {
                Response response = System.nanoTime() - deadline >= 0 ? Response.GIVEN_UP : response(check);
                tell(loop, () -> listener.responded(response));
            });
            return true;
        } catch (RejectedExecutionException e) {
            return false;
        }
    }

    private static void tell(EventLoop loop, Runnable response) {
        try {
            loop.execute(response);
        } catch (RejectedExecutionException e) {
            return; // the loop has ended, and its exchanges with it
        }
    }

    /** How many checks wait for a thread now. */
    public int waiting() {
        return threads.getQueue().size();
    }

    /** A check never throws; if one does all the same, what it judged is not good. */
    private static Response response(BooleanSupplier check) {
        try {
            return check.getAsBoolean() ? Response.ACCEPTED : Response.REFUSED;
        } catch (RuntimeException e) {
            return Response.REFUSED;
        }
    }

    private static Thread daemon(Runnable task, AtomicInteger number) {
        Thread thread = new Thread(task, "postern-verify-" + number.incrementAndGet());
        thread.setDaemon(true);
        return thread;
    }

    @Override
    public void close() {
        threads.shutdownNow();
    }
}
