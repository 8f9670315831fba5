package dev.postern.auth.handler;

import io.netty.channel.EventLoop;
import io.netty.util.concurrent.ScheduledFuture;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Waiters for an issuer's directory: exchanges wait at most half a second, in bounded number, and each continues exactly once, on its own
 * event loop.
 */
final class KeyFetchWaiters {

    static final Duration LONGEST = Duration.ofMillis(500);
    static final int MAX_WAITING = 1024;

    private final Function<String, @Nullable CompletableFuture<Void>> refetch;
    private final AtomicInteger waiting = new AtomicInteger();

    /** @param refetch fetches an issuer's keys; returns null when no fetch is allowed now */
    KeyFetchWaiters(Function<String, @Nullable CompletableFuture<Void>> refetch) {
        this.refetch = refetch;
    }

    /** Returns true when the issuer is being fetched and {@code continuation} will run later; false when waiting is of no use. */
    boolean await(String issuer, EventLoop loop, Runnable continuation) {
        if (issuer.isEmpty() || waiting.get() >= MAX_WAITING) {
            return false;
        }
        CompletableFuture<Void> fetch = refetch.apply(issuer);
        if (fetch == null) {
            return false;
        }
        waiting.incrementAndGet();
        Once once = new Once(continuation);
        once.timer = loop.schedule(once, LONGEST.toMillis(), TimeUnit.MILLISECONDS);
        fetch.whenComplete((done, failure) -> loop.execute(once));
        return true;
    }

    /** Continuation that runs once; only used on the event loop. */
    private final class Once implements Runnable {

        private @Nullable Runnable continuation;
        private @Nullable ScheduledFuture<?> timer;

        Once(Runnable continuation) {
            this.continuation = continuation;
        }

        @Override
        public void run() {
            Runnable next = continuation;
            if (next == null) {
                return;
            }
            continuation = null;
            if (timer != null) {
                timer.cancel(false);
            }
            waiting.decrementAndGet();
            next.run();
        }
    }
}
