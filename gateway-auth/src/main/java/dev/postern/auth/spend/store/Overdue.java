package dev.postern.auth.spend.store;

import io.netty.channel.EventLoop;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Overdue task: its deadline has passed. Before the task expires, all arrived responses are read. If the command was written late because
 * this process paused, the server still has its full time, at most {@link EventLoopDeadlines#MAX_GRACE_NANOS}. On the task's loop.
 */
final class Overdue {

    private final DeadlineTask task;
    private final EventLoop loop;
    private final long end;
    private @Nullable Future<?> timer;
    private boolean finished;

    Overdue(DeadlineTask task, EventLoop loop) {
        this.task = task;
        this.loop = loop;
        // Counted from now and not from the deadline: the pause may have been longer than the grace.
        this.end = loop.ticker().nanoTime() + EventLoopDeadlines.MAX_GRACE_NANOS;
    }

    void begin() {
        expireIn(EventLoopDeadlines.MAX_GRACE_NANOS);
        task.readReplies(this::repliesRead);
    }

    private void repliesRead() {
        long now = loop.ticker().nanoTime();
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
