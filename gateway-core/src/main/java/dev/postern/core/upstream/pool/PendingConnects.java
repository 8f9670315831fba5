package dev.postern.core.upstream.pool;

import dev.postern.core.upstream.connect.ProxyProtocolSource;
import dev.postern.core.upstream.endpoint.Endpoint;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Connects of one event loop that are pending, with their waiters. When a waiter leaves, its connect goes to the next waiter for the same
 * endpoint and client, so that requests that are reset at once (CVE-2023-44487) open no more connections than other requests. Event loop
 * only.
 */
final class PendingConnects {

    private final Map<ConnectionPool.Waiter, Dial> wanted = new HashMap<>();

    /** Connects without a waiter, newest first, grouped as in {@link IdleConnections}. */
    private final Map<Object, ArrayDeque<Dial>> left = new HashMap<>();

    /** Connect that is pending. */
    static final class Dial {

        private final Endpoint endpoint;
        private final @Nullable ProxyProtocolSource source;
        private ConnectionPool.@Nullable Waiter waiter;
        private boolean takenOver;

        private Dial(Endpoint endpoint, ConnectionPool.Waiter waiter) {
            this.endpoint = endpoint;
            this.source = waiter.source();
            this.waiter = waiter;
        }

        Endpoint endpoint() {
            return endpoint;
        }

        @Nullable
        ProxyProtocolSource source() {
            return source;
        }

        /** Returns whether the connect was begun earlier, for another waiter. */
        boolean takenOver() {
            return takenOver;
        }
    }

    /** Begins a connect for the waiter. */
    Dial begin(Endpoint endpoint, ConnectionPool.Waiter waiter) {
        Dial dial = new Dial(endpoint, waiter);
        wanted.put(waiter, dial);
        return dial;
    }

    /** Gives the waiter a connect without a waiter; false when there is none. */
    boolean takeOver(Endpoint endpoint, ConnectionPool.Waiter waiter) {
        Object key = IdleConnections.key(endpoint, waiter.source());
        ArrayDeque<Dial> queue = left.get(key);
        if (queue == null) {
            return false;
        }
        Dial newest = queue.removeFirst();
        if (queue.isEmpty()) {
            left.remove(key);
        }
        newest.waiter = waiter;
        newest.takenOver = true;
        wanted.put(waiter, newest);
        return true;
    }

    /** Removes the waiter from its connect; no-op when it has none. */
    void leave(ConnectionPool.Waiter waiter) {
        Dial dial = wanted.remove(waiter);
        if (dial != null) {
            dial.waiter = null;
            left.computeIfAbsent(IdleConnections.key(dial.endpoint, dial.source), k -> new ArrayDeque<>())
                    .addFirst(dial);
        }
    }

    /** Ends a connect that completed or failed; returns its waiter, or null. */
    ConnectionPool.@Nullable Waiter over(Dial dial) {
        ConnectionPool.Waiter waiter = dial.waiter;
        if (waiter != null) {
            wanted.remove(waiter);
            return waiter;
        }
        Object key = IdleConnections.key(dial.endpoint, dial.source);
        ArrayDeque<Dial> queue = left.get(key);
        if (queue != null && queue.removeLastOccurrence(dial) && queue.isEmpty()) {
            left.remove(key);
        }
        return null;
    }
}
