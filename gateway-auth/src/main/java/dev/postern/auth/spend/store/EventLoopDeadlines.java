package dev.postern.auth.spend.store;

import dev.postern.core.transport.loop.EventLoopMailbox;
import io.netty.channel.EventLoop;
import java.util.ArrayDeque;
import java.util.concurrent.TimeUnit;

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
}
