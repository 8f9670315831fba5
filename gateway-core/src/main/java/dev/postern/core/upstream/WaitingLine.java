package dev.postern.core.upstream;

import dev.postern.core.refusal.Refusal;
import io.netty.channel.EventLoop;
import io.netty.util.concurrent.ScheduledFuture;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Exchanges of one event loop that wait for a connection, first come, first served, none longer than the connect time-out. Event loop only. */
final class WaitingLine {

    private final Upstream upstream;
    private final EventLoop loop;
    private final Map<Lender.Waiter, ScheduledFuture<?>> waiting = new LinkedHashMap<>();

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
        long most = upstream.settings().timeouts().connect().toNanos();
        waiting.put(waiter, loop.schedule(() -> giveUp(waiter), most, TimeUnit.NANOSECONDS));
    }

    private void giveUp(Lender.Waiter waiter) {
        remove(waiter);
        waiter.refused(Refusal.UPSTREAM_BUSY, null);
    }

    /** It waits no longer, whether or not it did. */
    void remove(Lender.Waiter waiter) {
        ScheduledFuture<?> end = waiting.remove(waiter);
        if (end != null) {
            end.cancel(false);
            upstream.unqueue();
        }
    }

    boolean isEmpty() {
        return waiting.isEmpty();
    }

    /** Takes out the first that still wants one, or null. */
    Lender.@Nullable Waiter next() {
        Lender.Waiter first = first();
        if (first != null) {
            remove(first);
        }
        return first;
    }

    /** The first that still wants one, which stays in the line; or null. */
    Lender.@Nullable Waiter first() {
        while (!waiting.isEmpty()) {
            Lender.Waiter first = waiting.keySet().iterator().next();
            if (first.wants()) {
                return first;
            }
            remove(first);
        }
        return null;
    }
}
