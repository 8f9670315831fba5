package dev.postern.load.worker;

import io.netty.channel.EventLoop;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Closed loop: each response lets the next operation start, so that the same number is under way until there are no more.
 * Confined to its event loop, but for {@link #run} and {@link #start}.
 */
public final class ClosedLoop {
    private static final int MAX_SECONDS = 300;

    private final CompletableFuture<Long> done = new CompletableFuture<>();
    private final Operations operations;
    private long responded;
    private int open;

    /** Operations of a loop. */
    public interface Operations {
        /** Starts the next operation, which ends with {@link #responded} or {@link #fail}; false if there is none. */
        boolean start(ClosedLoop loop);
    }

    public ClosedLoop(Operations operations) {
        this.operations = operations;
    }

    /** Runs all operations and returns their number; another response than the expected one is an error. */
    public long run(EventLoop loop, int atOnce) {
        return get(start(loop, atOnce));
    }

    /** Starts as many operations at once; the result comes after the last one. */
    CompletableFuture<Long> start(EventLoop loop, int atOnce) {
        loop.execute(() -> {
            for (int i = 0; i < atOnce; i++) {
                next();
            }
        });
        return done;
    }

    public void responded() {
        open--;
        responded++;
        next();
    }

    public void fail(String reason) {
        done.completeExceptionally(new IllegalStateException(reason));
    }

    private void next() {
        open++;
        if (!operations.start(this) && --open == 0) {
            done.complete(responded);
        }
    }

    /** Waits for a result of the event loop. */
    static <T> T get(CompletableFuture<T> future) {
        try {
            return future.get(MAX_SECONDS, TimeUnit.SECONDS);
        } catch (ExecutionException | TimeoutException e) {
            throw new IllegalStateException("operations: responses not as expected", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        }
    }
}
