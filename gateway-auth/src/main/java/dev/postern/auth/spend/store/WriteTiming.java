package dev.postern.auth.spend.store;

import dev.postern.auth.spend.SpendLatency;

/**
 * When a command began to be written and when it was; those that go in one piece share one. Instants are of {@link System#nanoTime}.
 *
 * <p>Marked by the thread that writes, in that order; read by any.
 */
public final class WriteTiming {

    /** 0 as long as it did not happen. */
    private volatile long begun;

    private volatile long written;

    public void begin(long now) {
        begun = now;
    }

    public void end(long now) {
        written = now;
    }

    /** When it began to be written; 0 when it did not. */
    public long begun() {
        return begun;
    }

    /** Where the time of a check went that nobody answered: to whatever it was waiting for, which is the store once it is written. */
    public SpendLatency unanswered(long asked, long now) {
        return split(asked, now, now);
    }

    /** The same of one that was answered, or given up with its connection, at that instant. */
    public SpendLatency responded(long asked, long settled, long now) {
        return split(asked, settled, now);
    }

    private SpendLatency split(long asked, long settled, long now) {
        long whole = settled - asked;
        // In this order: who was written has begun. Both may happen while they are read.
        long untilWritten = until(written, asked, whole);
        long queue = until(begun, asked, whole);
        return new SpendLatency(queue, Math.max(untilWritten - queue, 0), now - settled);
    }

    private static long until(long instant, long asked, long whole) {
        return instant == 0 ? whole : Math.min(instant - asked, whole);
    }
}
