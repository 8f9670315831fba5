package dev.postern.core.upstream.pool;

import dev.postern.core.upstream.connect.ProxyProtocolSource;
import dev.postern.core.upstream.endpoint.Endpoint;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Idle connections of one event loop, newest first, grouped by endpoint, or by endpoint and the only client that they may serve. Event loop
 * only, but for {@link #size}.
 */
final class IdleConnections {

    /** Queues by {@link Endpoint}, or by {@link Own}. */
    private final Map<Object, ArrayDeque<Http1PooledConnection>> all = new HashMap<>();

    private volatile int size;

    private record Own(Endpoint endpoint, ProxyProtocolSource source) {}

    /** Returns the group of connections that are interchangeable. */
    static Object key(Endpoint endpoint, @Nullable ProxyProtocolSource source) {
        return source == null ? endpoint : new Own(endpoint, source);
    }

    /** Returns the number of idle connections; from any thread. */
    int size() {
        return size;
    }

    void add(Http1PooledConnection connection) {
        all.computeIfAbsent(key(connection.endpoint(), connection.source()), k -> new ArrayDeque<>())
                .addFirst(connection);
        count(1);
    }

    /** Removes and returns the newest connection for the endpoint and client; null when there is none. */
    @Nullable
    Http1PooledConnection poll(Endpoint endpoint, @Nullable ProxyProtocolSource source) {
        ArrayDeque<Http1PooledConnection> queue = all.get(key(endpoint, source));
        if (queue == null || queue.isEmpty()) {
            return null;
        }
        Http1PooledConnection newest = queue.pollFirst();
        count(-1);
        if (source != null && queue.isEmpty()) {
            all.remove(key(endpoint, source)); // clients change often; endpoints rarely
        }
        return newest;
    }

    /** Removes the connection; false when it was not idle. */
    boolean remove(Http1PooledConnection connection) {
        Object key = key(connection.endpoint(), connection.source());
        ArrayDeque<Http1PooledConnection> queue = all.get(key);
        if (queue == null || !queue.remove(connection)) {
            return false;
        }
        count(-1);
        if (connection.source() != null && queue.isEmpty()) {
            all.remove(key);
        }
        return true;
    }

    /** Removes and returns a connection that was idle for long; null when there is none. */
    @Nullable
    Http1PooledConnection pollOldest() {
        for (ArrayDeque<Http1PooledConnection> queue : all.values()) {
            Http1PooledConnection oldest = queue.peekLast();
            if (oldest != null) {
                remove(oldest);
                return oldest;
            }
        }
        return null;
    }

    /** Removes connections from the tail of each group while {@code predicate} holds. */
    void removeOldest(Predicate<Http1PooledConnection> predicate, Consumer<Http1PooledConnection> removed) {
        Iterator<Map.Entry<Object, ArrayDeque<Http1PooledConnection>>> each =
                all.entrySet().iterator();
        while (each.hasNext()) {
            Map.Entry<Object, ArrayDeque<Http1PooledConnection>> entry = each.next();
            ArrayDeque<Http1PooledConnection> queue = entry.getValue();
            for (Http1PooledConnection oldest = queue.peekLast();
                    oldest != null && predicate.test(oldest);
                    oldest = queue.peekLast()) {
                queue.pollLast();
                count(-1);
                removed.accept(oldest);
            }
            if (queue.isEmpty() && entry.getKey() instanceof Own) {
                each.remove();
            }
        }
    }

    @SuppressWarnings("NonAtomicVolatileUpdate") // only the event loop writes the field; others read
    private void count(int amount) {
        size = size + amount;
    }
}
