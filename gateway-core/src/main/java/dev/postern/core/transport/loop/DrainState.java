package dev.postern.core.transport.loop;

/** Drain state: whether connections end after the pending response, since the process or their listener stops. Thread-safe. */
public final class DrainState {

    /** Event for each client channel, once, when the process begins to stop. Connections without a pending response are closed at once. */
    public static final Object BEGUN = new Object() {
        @Override
        public String toString() {
            return "drain begun";
        }
    };

    /**
     * Event for each client channel, once, when its listener is replaced. The gateway announces the end of the connection, and closes no
     * connection on which a request may be under way: HTTP/1.1 announces it with the next response, HTTP/2 at once.
     */
    public static final Object ASKED = new Object() {
        @Override
        public String toString() {
            return "drain requested";
        }
    };

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
