package dev.postern.core.transport;

import java.util.concurrent.atomic.AtomicLong;

/**
 * Limits the bytes that wait to be written to clients, in the whole process: one slow client may have its 512 KiB, ten thousand may not.
 * Thread-safe; only connections whose socket did not take all bytes at once are counted.
 */
public final class OutboundBytesLimiter {

    private volatile long max;
    private final AtomicLong waiting = new AtomicLong();

    /** @param max bytes; 0 for no limit */
    public OutboundBytesLimiter(long max) {
        this.max = max;
    }

    /** Replaces the limit; 0 for none. */
    public void max(long other) {
        max = other;
    }

    /** Adds waiting bytes; a negative number removes them. */
    void add(long bytes) {
        waiting.addAndGet(bytes);
    }

    /** Returns whether more bytes wait than the limit allows. */
    boolean exceeded() {
        long current = max;
        return current > 0 && waiting.get() > current;
    }

    public long waiting() {
        return waiting.get();
    }
}
