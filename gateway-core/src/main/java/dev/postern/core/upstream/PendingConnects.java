package dev.postern.core.upstream;

import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The connections of one event loop that are being opened, and for whom. Who goes meanwhile leaves his to the next who wants one of that kind, so
 * that asking and taking back (CVE-2023-44487) opens no more connections than asking does. Event loop only.
 */
final class PendingConnects {

    private final Map<ConnectionPool.Waiter, Dial> wanted = new HashMap<>();

    /** Those that nobody waits for, newest first, by whom they may serve. */
    private final Map<Object, ArrayDeque<Dial>> left = new HashMap<>();

    /** One connection that is being opened. */
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

        /** Whether it was begun for somebody else than who waits now, and before. */
        boolean takenOver() {
            return takenOver;
        }
    }

    /** One that is being opened for that waiter. */
    Dial begin(Endpoint endpoint, ConnectionPool.Waiter waiter) {
        Dial dial = new Dial(endpoint, waiter);
        wanted.put(waiter, dial);
        return dial;
    }

    /** Lets it wait for one that was left; false when there is none. */
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

    /** It waits no longer, whether or not it did. */
    void leave(ConnectionPool.Waiter waiter) {
        Dial dial = wanted.remove(waiter);
        if (dial != null) {
            dial.waiter = null;
            left.computeIfAbsent(IdleConnections.key(dial.endpoint, dial.source), k -> new ArrayDeque<>())
                    .addFirst(dial);
        }
    }

    /** It stands or it failed; who waits for it, or null. */
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
