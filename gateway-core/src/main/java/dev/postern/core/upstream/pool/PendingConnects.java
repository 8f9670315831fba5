package dev.postern.core.upstream.pool;

import dev.postern.core.upstream.connect.ProxyProtocolSource;
import dev.postern.core.upstream.endpoint.Endpoint;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Connects of one event loop that are pending, with their waiters. When a waiter leaves, its connect goes to the next waiter for the same
 * endpoint and client, so that requests that are reset at once (CVE-2023-44487) open no more connections than other requests. Event loop
 * only.
 */
final class PendingConnects {

    private final int streams;
    private final Map<ConnectionPool.Waiter, PendingConnect> awaited = new HashMap<>();

    /** Connects that may get another waiter, grouped as in {@link IdleConnections}. */
    private final Map<Object, ArrayDeque<PendingConnect>> joinable = new HashMap<>();

    /** @param streams exchanges that may wait for one connection */
    PendingConnects(int streams) {
        this.streams = streams;
    }

    /** Connect that is pending. */
    static final class PendingConnect {

        private final Endpoint endpoint;
        private final @Nullable ProxyProtocolSource source;
        private final Set<ConnectionPool.Waiter> waiters = new LinkedHashSet<>();
        private boolean takenOver;

        private PendingConnect(Endpoint endpoint, @Nullable ProxyProtocolSource source) {
            this.endpoint = endpoint;
            this.source = source;
        }

        Endpoint endpoint() {
            return endpoint;
        }

        @Nullable
        ProxyProtocolSource source() {
            return source;
        }

        /** Returns, once, whether all waiters came after those for which the connect was begun had left. */
        boolean takenOver() {
            boolean others = takenOver && !waiters.isEmpty();
            takenOver = false;
            return others;
        }

        private Object key() {
            return IdleConnections.key(endpoint, source);
        }
    }

    /** Begins a connect for the waiter. */
    PendingConnect begin(Endpoint endpoint, ConnectionPool.Waiter waiter) {
        PendingConnect connect = new PendingConnect(endpoint, waiter.source());
        connect.waiters.add(waiter);
        awaited.put(waiter, connect);
        if (streams > 1) {
            group(connect).addLast(connect);
        }
        return connect;
    }

    /** Lets the waiter wait for a connect that has room for it; false when there is none. */
    boolean join(Endpoint endpoint, ConnectionPool.Waiter waiter) {
        ArrayDeque<PendingConnect> group = joinable.get(IdleConnections.key(endpoint, waiter.source()));
        if (group == null) {
            return false;
        }
        PendingConnect connect = group.element();
        connect.takenOver |= connect.waiters.isEmpty();
        connect.waiters.add(waiter);
        awaited.put(waiter, connect);
        if (connect.waiters.size() == streams) {
            close(connect);
        }
        return true;
    }

    /** Removes the waiter from its connect, which another one may join now; false when it has none. */
    boolean leave(ConnectionPool.Waiter waiter) {
        PendingConnect connect = awaited.remove(waiter);
        if (connect == null) {
            return false;
        }
        if (connect.waiters.size() == streams) {
            group(connect).addFirst(connect);
        }
        connect.waiters.remove(waiter);
        return true;
    }

    /** Ends a connect that completed or failed; returns its waiters in the order in which they came. */
    Collection<ConnectionPool.Waiter> end(PendingConnect connect) {
        if (connect.waiters.size() < streams) {
            close(connect);
        }
        connect.waiters.forEach(awaited::remove);
        return connect.waiters;
    }

    private ArrayDeque<PendingConnect> group(PendingConnect connect) {
        return joinable.computeIfAbsent(connect.key(), k -> new ArrayDeque<>());
    }

    private void close(PendingConnect connect) {
        ArrayDeque<PendingConnect> group = group(connect);
        group.remove(connect);
        if (group.isEmpty()) {
            joinable.remove(connect.key());
        }
    }
}
