package dev.postern.auth.spend.store;

import dev.postern.core.transport.loop.EventLoopMailbox;
import io.netty.channel.EventLoop;
import java.util.ArrayDeque;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * The ledger's side on one event loop: the way back for responses, and the deadlines of all spends that this loop waits for.
 *
 * <p>All spends have the same time, so the oldest is always due first: one queue and one timer do, instead of a timer each. What is due is
 * {@link Overdue}: a silence that was ours is not the server's.
 */
public final class EventLoopDeadlines {

    /** Nanoseconds of a standstill that are counted out of a deadline at most; a client doesn't wait for ever. */
    public static final long MAX_GRACE_NANOS = TimeUnit.MILLISECONDS.toNanos(250);

    private final EventLoop loop;
    private final EventLoopMailbox mailbox;
    private final LongSupplier clock;
    private final ArrayDeque<DeadlineTask> waiting = new ArrayDeque<>();
    private final Runnable expire = this::expire;
    private boolean armed;

    public EventLoopDeadlines(EventLoop loop) {
        this(loop, System::nanoTime);
    }

    /** @param clock instead of {@link System#nanoTime} */
    EventLoopDeadlines(EventLoop loop, LongSupplier clock) {
        this.loop = loop;
        this.clock = clock;
        this.mailbox = new EventLoopMailbox(loop);
    }

    public EventLoop loop() {
        return loop;
    }

    /** From any thread: runs the command on the loop, together with all others of this pass. */
    public void hand(DeadlineTask command) {
        mailbox.add(command);
    }

    /** Expires the command at its deadline unless it is answered before. */
    public void await(DeadlineTask command) {
        waiting.add(command);
        arm(command.deadlineNanos());
    }

    private void arm(long deadlineNanos) {
        if (!armed) {
            armed = true;
            loop.schedule(expire, Math.max(deadlineNanos - clock.getAsLong(), 0), TimeUnit.NANOSECONDS);
        }
    }

    private void expire() {
        armed = false;
        long now = clock.getAsLong();
        for (DeadlineTask first = waiting.peek(); first != null; first = waiting.peek()) {
            if (!first.responded() && first.deadlineNanos() - now > 0) {
                arm(first.deadlineNanos());
                return;
            }
            waiting.remove();
            if (first.responded()) {
                first.expire();
            } else {
                new Overdue(first, loop, clock).begin();
            }
        }
    }
}
