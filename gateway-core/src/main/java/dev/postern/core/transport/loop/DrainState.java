package dev.postern.core.transport.loop;

import java.time.Duration;

/** Drain state: whether connections end after the pending response, since the process or their listener stops. Thread-safe. */
public final class DrainState {

    /**
     * Event for each client channel, once, when the process begins to stop. Connections without a pending response are closed after the
     * {@link #PAUSE}.
     */
    public static final Object BEGUN = new Object() {
        @Override
        public String toString() {
            return "drain begun";
        }
    };

    /**
     * Event for each client channel, once, when its listener is replaced or the process will stop. The gateway announces the end of the
     * connection, and closes no connection on which a request may be under way: HTTP/1.1 announces it with the next response, HTTP/2 at
     * once.
     */
    public static final Object ASKED = new Object() {
        @Override
        public String toString() {
            return "drain requested";
        }
    };

    /**
     * Time from the beginning of the drain, or from the last response, in which a client that keeps its connection may still send: longer than
     * a request is under way, and than most clients pause.
     */
    public static final Duration PAUSE = Duration.ofSeconds(1);

    private volatile boolean requested;
    private volatile boolean begun;

    /** Returns whether responses announce the end of their connection. */
    public boolean requested() {
        return requested;
    }

    /** Returns whether connections without a pending response end. */
    public boolean begun() {
        return begun;
    }

    /** Returns nanoseconds for which a connection may stay idle that may do so for {@code usual} otherwise. */
    public long idle(Duration usual) {
        return Math.min(usual.toNanos(), begun ? PAUSE.toNanos() : Long.MAX_VALUE);
    }

    /** Starts announcing the end of connections; connections without an announcement stay open. */
    public void ask() {
        requested = true;
    }

    /** Starts the drain; final. */
    public void begin() {
        requested = true;
        begun = true;
    }
}
