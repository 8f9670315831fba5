package dev.postern.core.upstream.pool;

import dev.postern.core.http.Refusal;
import dev.postern.core.net.AddressPrefix;
import io.netty.channel.EventLoop;
import io.netty.util.concurrent.ScheduledFuture;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Queue of the exchanges of one event loop that wait for a connection, first come, first served; a client network that holds its share of
 * the connections waits until no other network does. A waiter waits for the connect timeout at
 * most, in the queue and, behind it, for a connection that is being opened together. Event loop only.
 */
final class AcquireQueue {

    private final PoolState state;
    private final EventLoop loop;
    private final Consumer<ConnectionPool.Waiter> leave;
    private final Set<ConnectionPool.Waiter> waiters = new LinkedHashSet<>();

    /** Timeouts of the waiters in the queue, and of those that left it for a connection that is being opened. */
    private final Map<ConnectionPool.Waiter, ScheduledFuture<?>> ends = new HashMap<>();

    /** @param leave cancels what a waiter waits for, in this queue too */
    AcquireQueue(PoolState state, EventLoop loop, Consumer<ConnectionPool.Waiter> leave) {
        this.state = state;
        this.loop = loop;
        this.leave = leave;
    }

    /** Adds the waiter, or refuses it at once when too many wait on all loops. */
    void add(ConnectionPool.Waiter waiter) {
        if (state.permits().tryQueue(waiter.network())) {
            waiters.add(waiter);
            bound(waiter);
            state.rounds().wanted(loop);
        } else {
            over(waiter);
            waiter.refused(Refusal.UPSTREAM_BUSY, null);
        }
    }

    /**
     * Starts the timeout of a waiter of a connection that is being opened, which may take longer than the waiter may wait. A timeout that
     * already runs continues.
     */
    void bound(ConnectionPool.Waiter waiter) {
        if (!ends.containsKey(waiter)) {
            long timeout = state.settings().timeouts().connect().toNanos();
            ends.put(waiter, loop.schedule(() -> giveUp(waiter), timeout, TimeUnit.NANOSECONDS));
        }
    }

    private void giveUp(ConnectionPool.Waiter waiter) {
        boolean connecting = !waiters.contains(waiter);
        leave.accept(waiter);
        waiter.refused(connecting ? Refusal.UPSTREAM_CONNECT_TIMEOUT : Refusal.UPSTREAM_BUSY, null);
    }

    /** Cancels the waiter's timeout: the waiter acquired a connection or was refused. */
    void over(ConnectionPool.Waiter waiter) {
        if (ends.isEmpty()) {
            return; // the usual case
        }
        ScheduledFuture<?> end = ends.remove(waiter);
        if (end != null) {
            end.cancel(false);
        }
    }

    /** Removes the waiter; no-op when it is not in the queue. */
    void remove(ConnectionPool.Waiter waiter) {
        dequeue(waiter);
        over(waiter);
    }

    /** Removes the waiter, whose timeout runs until {@link #over}; no-op when it is not in the queue. */
    void dequeue(ConnectionPool.Waiter waiter) {
        if (waiters.remove(waiter)) {
            state.permits().leaveQueue(waiter.network());
        }
    }

    /** Refuses the latest waiters of networks that have more than their share of the places, while more wait than may. */
    void shed() {
        List<ConnectionPool.Waiter> all = List.copyOf(waiters);
        for (int i = all.size() - 1; i >= 0; i--) {
            ConnectionPool.Waiter last = all.get(i);
            if (waiters.contains(last) && state.permits().mustYield(last.network())) {
                leave.accept(last);
                last.refused(Refusal.UPSTREAM_BUSY, null);
            }
        }
    }

    boolean isEmpty() {
        return waiters.isEmpty();
    }

    /** Returns the network of each waiter. */
    List<AddressPrefix> networks() {
        return waiters.stream().map(ConnectionPool.Waiter::network).toList();
    }

    /** Removes and returns the first waiter that may get a connection, or null. The waiter's timeout runs until {@link #over}. */
    ConnectionPool.@Nullable Waiter next() {
        ConnectionPool.Waiter first = first();
        if (first != null) {
            dequeue(first);
        }
        return first;
    }

    /**
     * Returns the first waiter that still wants a connection and whose network is not held back, or null; the waiter stays in the queue.
     */
    ConnectionPool.@Nullable Waiter first() {
        if (waiters.isEmpty()) {
            return null; // the usual case
        }
        boolean anyFull = state.networks().anyFull();
        List<ConnectionPool.Waiter> inactive = new ArrayList<>();
        ConnectionPool.@Nullable Waiter first = null;
        for (ConnectionPool.Waiter next : waiters) {
            if (!next.active()) {
                inactive.add(next);
            } else if (!anyFull || !state.networks().holdsBack(next.network())) {
                first = next;
                break;
            }
        }
        inactive.forEach(this::remove);
        return first;
    }
}
