package dev.postern.core.transport;

import java.util.concurrent.atomic.AtomicLong;

/**
 * How many bytes may wait to be written to clients, in the whole process: one slow client may have its half mebibyte, ten thousand may not.
 * Thread-safe; only connections whose socket did not take everything at once come here.
 */
public final class OutboundBytesLimiter {

    private final long most;
    private final AtomicLong waiting = new AtomicLong();

    /** @param most bytes; 0 for no bound */
    public OutboundBytesLimiter(long most) {
        this.most = most;
    }

    /** So many more wait, or fewer. */
    void add(long bytes) {
        waiting.addAndGet(bytes);
    }

    /** Whether more wait than may. */
    boolean over() {
        return most > 0 && waiting.get() > most;
    }

    public long waiting() {
        return waiting.get();
    }
}
