package dev.postern.core.upstream;

import dev.postern.core.http.Refusal;
import io.netty.channel.EventLoop;
import io.netty.util.concurrent.ScheduledFuture;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Exchanges of one event loop that wait for a connection, first come, first served; and how long they wait: no longer than the connect time-out in
 * all, whether in the line or, behind it, for a connection that is being opened. Event loop only.
 */
final class AcquireQueue {

    private final Upstream upstream;
    private final EventLoop loop;
    private final Consumer<ConnectionPool.Waiter> leave;
    private final Set<ConnectionPool.Waiter> line = new LinkedHashSet<>();

    /** Of those in the line, and of those who left it for a connection that is being opened. */
    private final Map<ConnectionPool.Waiter, ScheduledFuture<?>> ends = new HashMap<>();

    /** @param leave lets go of whatever a waiter waits for, here too */
    AcquireQueue(Upstream upstream, EventLoop loop, Consumer<ConnectionPool.Waiter> leave) {
        this.upstream = upstream;
        this.loop = loop;
        this.leave = leave;
    }

    /** The waiter is refused at once when too many wait, on whichever loop. */
    void add(ConnectionPool.Waiter waiter) {
        if (upstream.queue()) {
            line.add(waiter);
            bound(waiter);
        } else {
            over(waiter);
            waiter.refused(Refusal.UPSTREAM_BUSY, null);
        }
    }

    /** It waits for a connection that is being opened, perhaps for longer than it may wait itself. Its time goes on where it had begun. */
    void bound(ConnectionPool.Waiter waiter) {
        if (!ends.containsKey(waiter)) {
            long most = upstream.settings().timeouts().connect().toNanos();
            ends.put(waiter, loop.schedule(() -> giveUp(waiter), most, TimeUnit.NANOSECONDS));
        }
    }

    private void giveUp(ConnectionPool.Waiter waiter) {
        boolean dialled = !line.contains(waiter);
        leave.accept(waiter);
        waiter.refused(dialled ? Refusal.UPSTREAM_CONNECT_TIMEOUT : Refusal.UPSTREAM_BUSY, null);
    }

    /** It has what it waited for, or was refused. */
    void over(ConnectionPool.Waiter waiter) {
        if (ends.isEmpty()) {
            return; // as nearly always
        }
        ScheduledFuture<?> end = ends.remove(waiter);
        if (end != null) {
            end.cancel(false);
        }
    }

    /** It waits no longer, whether or not it did. */
    void remove(ConnectionPool.Waiter waiter) {
        if (line.remove(waiter)) {
            upstream.unqueue();
        }
        over(waiter);
    }

    boolean isEmpty() {
        return line.isEmpty();
    }

    /** Takes out the first that still wants one, whose time goes on until it is {@link #over}; or null. */
    ConnectionPool.@Nullable Waiter next() {
        ConnectionPool.Waiter first = first();
        if (first != null) {
            line.remove(first);
            upstream.unqueue();
        }
        return first;
    }

    /** The first that still wants one, which stays in the line; or null. */
    ConnectionPool.@Nullable Waiter first() {
        for (Iterator<ConnectionPool.Waiter> each = line.iterator(); each.hasNext(); each = line.iterator()) {
            ConnectionPool.Waiter first = each.next();
            if (first.wants()) {
                return first;
            }
            remove(first);
        }
        return null;
    }
}
