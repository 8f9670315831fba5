package dev.postern.core.upstream.pool;

import java.util.concurrent.atomic.AtomicInteger;

/** Permits to open connections to one upstream, and places to wait for one, of all event loops together. Thread-safe and without locks. */
public final class Permits {

    /** Pools that are notified of what other event loops need. */
    public interface Listener {

        /** An exchange waits on some event loop: idle connections of other loops hold permits that no exchange uses there. */
        void permitWanted();

        /** A connection is closed while exchanges wait: any event loop may open one. */
        void permitReturned();
    }

    private final int maxConnections;
    private final int maxPending;
    private final Listener listener;
    private final AtomicInteger open = new AtomicInteger();
    private final AtomicInteger pending = new AtomicInteger();

    Permits(int maxConnections, int maxPending, Listener listener) {
        this.maxConnections = maxConnections;
        this.maxPending = maxPending;
        this.listener = listener;
    }

    /** Takes a permit for one connection; false at the limit. */
    boolean tryAcquire() {
        for (int count = open.get(); count < maxConnections; count = open.get()) {
            if (open.compareAndSet(count, count + 1)) {
                return true;
            }
        }
        return false;
    }

    /** Returns the permit of a connection that is closed. */
    void release() {
        open.decrementAndGet();
        if (contended()) {
            listener.permitReturned();
        }
    }

    /** Takes a place to wait for a connection; false at the limit. */
    boolean tryQueue() {
        if (pending.incrementAndGet() > maxPending) {
            pending.decrementAndGet();
            return false;
        }
        listener.permitWanted();
        return true;
    }

    void leaveQueue() {
        pending.decrementAndGet();
    }

    /** Whether exchanges wait for a connection, on any event loop. */
    boolean contended() {
        return pending.get() > 0;
    }

    /** Connections that are open or being opened. */
    public int open() {
        return open.get();
    }

    /** Exchanges that wait for a connection. */
    public int pending() {
        return pending.get();
    }
}
