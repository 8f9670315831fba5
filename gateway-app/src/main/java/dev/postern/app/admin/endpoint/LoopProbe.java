package dev.postern.app.admin.endpoint;

import io.netty.util.concurrent.EventExecutor;
import io.netty.util.concurrent.EventExecutorGroup;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

/** Probe of the event loops: whether each one runs tasks. Never blocks. */
public record LoopProbe(EventExecutorGroup group) implements Supplier<CompletionStage<Boolean>> {

    private static final int WITHIN_SECONDS = 1;

    /** Completes with true once every event loop has run a task, or with false after one second. */
    @Override
    public CompletionStage<Boolean> get() {
        List<EventExecutor> loops = new ArrayList<>();
        group.forEach(loops::add);
        AtomicInteger left = new AtomicInteger(loops.size());
        CompletableFuture<Boolean> ran = new CompletableFuture<>();
        loops.forEach(loop -> loop.execute(() -> {
            if (left.decrementAndGet() == 0) {
                ran.complete(true);
            }
        }));
        return ran.completeOnTimeout(false, WITHIN_SECONDS, TimeUnit.SECONDS);
    }
}
