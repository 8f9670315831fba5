package dev.postern.core.upstream;

import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The connections of one event loop that nobody uses now, newest first, by whom they may serve: everybody who wants their server, or only the
 * client that they were opened for. On its loop, but for {@link #size}.
 */
final class IdleConnections {

    /** By server, or by {@link Own}. */
    private final Map<Object, ArrayDeque<Http1PooledConnection>> all = new HashMap<>();

    private volatile int size;

    private record Own(Endpoint endpoint, ProxyProtocolSource source) {}

    /** What connections have in common that may serve the same. */
    static Object key(Endpoint endpoint, @Nullable ProxyProtocolSource source) {
        return source == null ? endpoint : new Own(endpoint, source);
    }

    /** How many; from any thread. */
    int size() {
        return size;
    }

    void add(Http1PooledConnection connection) {
        all.computeIfAbsent(key(connection.endpoint(), connection.source()), k -> new ArrayDeque<>())
                .addFirst(connection);
        count(1);
    }

    /** Takes the newest one out that may be used so; null when there is none. */
    @Nullable
    Http1PooledConnection poll(Endpoint endpoint, @Nullable ProxyProtocolSource source) {
        ArrayDeque<Http1PooledConnection> queue = all.get(key(endpoint, source));
        if (queue == null || queue.isEmpty()) {
            return null;
        }
        Http1PooledConnection newest = queue.pollFirst();
        count(-1);
        if (source != null && queue.isEmpty()) {
            all.remove(key(endpoint, source)); // clients come and go, servers stay
        }
        return newest;
    }

    /** Takes it out; false when it was not here. */
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

    /** Takes out one that was not used for long; null when there is none. */
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

    /** Takes out the oldest of each kind as long as they are so. */
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

    @SuppressWarnings("NonAtomicVolatileUpdate") // only its own loop writes it; others read
    private void count(int amount) {
        size = size + amount;
    }
}
