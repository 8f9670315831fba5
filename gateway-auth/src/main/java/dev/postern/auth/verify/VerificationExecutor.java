package dev.postern.auth.verify;

import io.netty.channel.EventLoop;
import io.netty.util.concurrent.Ticker;
import java.time.Duration;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;

/**
 * Executor with a few threads for checks that are too long for an event loop, and a short queue: a check that does not fit is refused at
 * once, and a check that waited too long is dropped, so that under overload no thread works for an exchange that has given up.
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

    /** Response of a check. */
    public enum Response {
        ACCEPTED,
        REFUSED,
        /** Check that waited too long and did not run. */
        GIVEN_UP
    }

    /** Listener that is called with the response on the event loop. */
    @FunctionalInterface
    public interface Listener {

        void responded(Response response);
    }

    /**
     * Runs the check on another thread and passes the response to the listener on the event loop.
     *
     * @return false when too many checks wait already; then the listener is not called
     */
    public boolean offer(BooleanSupplier check, EventLoop loop, Listener listener) {
        Ticker ticker = loop.ticker();
        long deadline = ticker.nanoTime() + patienceNanos;
        try {
            threads.execute(() -> {
                Response response = ticker.nanoTime() - deadline >= 0 ? Response.GIVEN_UP : response(check);
                respond(loop, () -> listener.responded(response));
            });
            return true;
        } catch (RejectedExecutionException e) {
            return false;
        }
    }

    private static void respond(EventLoop loop, Runnable response) {
        try {
            loop.execute(response);
        } catch (RejectedExecutionException e) {
            return; // the event loop has ended, and its exchanges with it
        }
    }

    /** Returns the number of checks that wait for a thread now. */
    public int waiting() {
        return threads.getQueue().size();
    }

    /** Runs the check. Checks must not throw; if one does, the token counts as invalid. */
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
