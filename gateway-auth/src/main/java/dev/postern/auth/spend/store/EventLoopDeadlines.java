package dev.postern.auth.spend.store;

import dev.postern.core.transport.loop.EventLoopMailbox;
import io.netty.channel.EventLoop;
import java.util.ArrayDeque;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Deadlines of all spends that one event loop waits for, and the mailbox through which their replies reach this loop.
 *
 * <p>All spends have the same timeout, so the oldest spend is always due first: one queue and one timer are enough. A task whose deadline
 * has passed becomes {@link Overdue}, so that a pause of this process does not count as a timeout of the server.
 */
public final class EventLoopDeadlines {

    /** Maximum extension of a deadline because of a pause of this process, in nanoseconds. Limits how long a client waits. */
    public static final long MAX_GRACE_NANOS = TimeUnit.MILLISECONDS.toNanos(250);

    private final EventLoop loop;
    private final EventLoopMailbox mailbox;
    private final ArrayDeque<DeadlineTask> waiting = new ArrayDeque<>();
    private final Runnable expire = this::expire;
    private boolean armed;

    public EventLoopDeadlines(EventLoop loop) {
        this.loop = loop;
        this.mailbox = new EventLoopMailbox(loop);
    }

    public EventLoop loop() {
        return loop;
    }

    /** Runs the command on the loop, together with all others of the same pass. From any thread. */
    public void hand(DeadlineTask command) {
        mailbox.add(command);
    }

    /** Expires the command at its deadline, unless a reply arrives before. */
    public void await(DeadlineTask command) {
        waiting.add(command);
        arm(command.deadlineNanos());
    }

    private void arm(long deadlineNanos) {
        if (!armed) {
            armed = true;
            loop.schedule(expire, Math.max(deadlineNanos - loop.ticker().nanoTime(), 0), TimeUnit.NANOSECONDS);
        }
    }

    private void expire() {
        armed = false;
        long now = loop.ticker().nanoTime();
        for (DeadlineTask first = waiting.peek(); first != null; first = waiting.peek()) {
            if (!first.responded() && first.deadlineNanos() - now > 0) {
                arm(first.deadlineNanos());
                return;
            }
            waiting.remove();
            if (first.responded()) {
                first.expire();
            } else {
                new Overdue(first, loop).begin();
            }
        }
    }

    /**
     * Overdue task: its deadline has passed. Before the task expires, all arrived responses are read. If the command was written late because
     * this process paused, the server still has its full time, at most {@link EventLoopDeadlines#MAX_GRACE_NANOS}. On the task's loop.
     */
    private static final class Overdue {

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
}
