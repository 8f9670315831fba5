package dev.postern.auth.spend.store;

import io.netty.channel.EventLoop;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A question whose deadline is over on the clock. Before it expires, what has arrived is read; and where it was sent late, because this
 * process stood still, the server has its time. All of that within a bound. On its loop.
 */
final class Overdue {

    private final DeadlineTask task;
    private final EventLoop loop;
    private final LongSupplier clock;
    private final long end;
    private @Nullable Future<?> timer;
    private boolean finished;

    Overdue(DeadlineTask task, EventLoop loop, LongSupplier clock) {
        this.task = task;
        this.loop = loop;
        this.clock = clock;
        // From now on, and not from the deadline: a standstill may have been longer than any grace.
        this.end = clock.getAsLong() + EventLoopDeadlines.MAX_GRACE_NANOS;
    }

    void begin() {
        expireIn(EventLoopDeadlines.MAX_GRACE_NANOS);
        task.look(this::looked);
    }

    private void looked() {
        long now = clock.getAsLong();
        long due = task.dueNanos();
        if (finished) {
            return;
        }
        if (task.responded() || due - now <= 0 || end - now <= 0) {
            expire();
        } else if (due - end < 0) {
            expireIn(due - now);
        }
    }

    private void expireIn(long nanos) {
        stop();
        timer = loop.schedule(this::expire, nanos, TimeUnit.NANOSECONDS);
    }

    private void expire() {
        if (!finished) {
            finished = true;
            stop();
            task.expire();
        }
    }

    private void stop() {
        Future<?> running = timer;
        if (running != null) {
            running.cancel(false);
        }
    }
}
