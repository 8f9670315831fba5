package dev.postern.core.transport.loop;

/** Whether connections are to end after the response they wait for, since the process or their listener goes away. Thread-safe. */
public final class DrainState {

    /** The event that each client channel sees once when the process goes down. Who waits for nothing is let go at once. */
    public static final Object BEGUN = new Object() {
        @Override
        public String toString() {
            return "drain begun";
        }
    };

    /**
     * The event that each client channel sees once when its listener is another one now. Clients are asked to go, and nobody is cut off who
     * may be about to ask: HTTP/1.1 says so with the next response, HTTP/2 at once.
     */
    public static final Object ASKED = new Object() {
        @Override
        public String toString() {
            return "asked to go";
        }
    };

    private volatile boolean asked;
    private volatile boolean begun;

    /** Whether responses tell clients that their connection ends. */
    public boolean asked() {
        return asked;
    }

    /** Whether connections end that nobody waits on. */
    public boolean begun() {
        return begun;
    }

    /** Clients are told, and none of them is cut off who was not told yet. */
    public void ask() {
        asked = true;
    }

    /** There is no way back. */
    public void begin() {
        asked = true;
        begun = true;
    }
}
