package dev.postern.auth.budget;

import io.micrometer.core.instrument.MeterRegistry;
import io.netty.channel.EventLoop;
import io.netty.util.concurrent.MockTicker;
import io.netty.util.concurrent.Ticker;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Idle time of an event loop, which passes only when the test says so: how much a real event loop has depends on what else the machine
 * runs. For one event loop, and to be used on it.
 */
public final class ManualIdleTime {

    private final MockTicker ticker = Ticker.newMockTicker();
    private @Nullable IdleTaskQueue queue;

    /** Creates a verification whose deferred tokens wait for {@link #pass}. */
    public DeprioritizedVerification verification(FailureBudget budget, MeterRegistry registry) {
        return new DeprioritizedVerification(budget, registry, this::queue);
    }

    private IdleTaskQueue queue(EventLoop loop) {
        IdleTaskQueue made = new IdleTaskQueue(loop, ticker, () -> 0);
        queue = made;
        return made;
    }

    /** Passes an idle time in which all waiting tokens are verified; expects that some wait. */
    public void pass() {
        ticker.advance(IdleTaskQueue.CHECK_EVERY_NANOS, TimeUnit.NANOSECONDS);
        Objects.requireNonNull(queue, "no token waits").check();
    }
}
