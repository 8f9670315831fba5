package dev.postern.core.lifecycle;

/** Whether the process is going down: from then on connections end after the answer they wait for. Thread-safe. */
public final class Drain {

    /** The event that each client channel sees once when draining begins. */
    public static final Object BEGUN = new Object() {
        @Override
        public String toString() {
            return "drain begun";
        }
    };

    private volatile boolean begun;

    public boolean begun() {
        return begun;
    }

    /** There is no way back. */
    public void begin() {
        begun = true;
    }
}
