package dev.postern.core.transport.loop;

import io.netty.channel.EventLoop;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Deadline that is moved far more often than it expires: moving it to a later time costs one assignment, since its one timer checks the
 * time again when it fires. Event loop only.
 */
public final class Deadline {

    private static final long NEVER = Long.MAX_VALUE;

    private final EventLoop loop;
    private final Runnable action;
    private final Runnable fire = this::fire;
    private long start;
    private long time = NEVER;
    private long timerAt = NEVER;
    private io.netty.util.concurrent.@Nullable ScheduledFuture<?> timer;

    /** @param action runs on the event loop when the deadline has expired; the deadline is then cleared */
    public Deadline(EventLoop loop, Runnable action) {
        this.loop = loop;
        this.action = action;
        this.start = now();
    }

    /** Returns the current time, of the ticker of the event loop. */
    public long now() {
        return loop.ticker().nanoTime();
    }

    /** Sets the deadline: the action runs {@code nanos} from now, unless moved or cleared before. */
    public void set(long nanos) {
        set(now(), nanos);
    }

    /** Sets the deadline: the action runs {@code nanos} after {@code now} (of {@link #now}), unless moved or cleared before. */
    public void set(long now, long nanos) {
        time = now - start + nanos;
        if (time < timerAt) {
            cancelTimer();
            schedule(nanos);
        }
    }

    /** Clears the deadline: the action will not run. */
    public void clear() {
        time = NEVER;
    }

    /** Clears the deadline for good and cancels the timer. */
    public void stop() {
        time = NEVER;
        cancelTimer();
    }

    private void schedule(long nanos) {
        timerAt = time;
        timer = loop.schedule(fire, nanos, TimeUnit.NANOSECONDS);
    }

    private void cancelTimer() {
        if (timer != null) {
            timer.cancel(false);
            timer = null;
            timerAt = NEVER;
        }
    }

    private void fire() {
        timer = null;
        timerAt = NEVER;
        if (time == NEVER) {
            return;
        }
        long remaining = time - (now() - start);
        if (remaining > 0) {
            schedule(remaining);
        } else {
            time = NEVER;
            action.run();
        }
    }
}
