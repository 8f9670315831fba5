package dev.postern.core.upstream;

import dev.postern.core.refusal.Refusal;
import io.netty.channel.EventLoop;
import java.util.ArrayDeque;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Exchanges of one event loop that wait for a connection, first come, first served, none longer than the connect time-out. Event loop only. */
final class WaitingLine {

    private final Upstream upstream;
    private final EventLoop loop;
    private final ArrayDeque<Lender.Waiter> waiting = new ArrayDeque<>();

    WaitingLine(Upstream upstream, EventLoop loop) {
        this.upstream = upstream;
        this.loop = loop;
    }

    /** The waiter is refused at once when too many wait, on whichever loop. */
    void add(Lender.Waiter waiter) {
        if (!upstream.queue()) {
            waiter.refused(Refusal.UPSTREAM_BUSY, null);
            return;
        }
        waiting.add(waiter);
        loop.schedule(
                () -> giveUp(waiter), upstream.settings().timeouts().connect().toNanos(), TimeUnit.NANOSECONDS);
    }

    private void giveUp(Lender.Waiter waiter) {
        if (waiting.remove(waiter)) {
            upstream.unqueue();
            waiter.refused(Refusal.UPSTREAM_BUSY, null);
        }
    }

    boolean isEmpty() {
        return waiting.isEmpty();
    }

    /** Takes out the first that still wants one, or null. */
    Lender.@Nullable Waiter next() {
        for (Lender.Waiter next = waiting.poll(); next != null; next = waiting.poll()) {
            upstream.unqueue();
            if (next.wants()) {
                return next;
            }
        }
        return null;
    }

    /** The first that still wants one, which stays in the line; or null. */
    Lender.@Nullable Waiter first() {
        for (Lender.Waiter next = waiting.peek(); next != null; next = waiting.peek()) {
            if (next.wants()) {
                return next;
            }
            waiting.remove();
            upstream.unqueue();
        }
        return null;
    }
}
