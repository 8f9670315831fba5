package dev.postern.auth.spend.store;

import dev.postern.auth.spend.SpendLatency;

/**
 * Write timing: the start and the end of writing a command. Commands written together share one timing. Times are of
 * {@link System#nanoTime}.
 *
 * <p>Set by the writing thread, start before end; read by any thread.
 */
public final class WriteTiming {

    /** Start of writing; 0 before the start. */
    private volatile long begun;

    private volatile long written;

    public void begin(long now) {
        begun = now;
    }

    public void end(long now) {
        written = now;
    }

    /** Returns the start of writing; 0 before the start. */
    public long begun() {
        return begun;
    }

    /** Splits the latency of a spend without a reply. The open part, which is the store's once the command is written, ends now. */
    public SpendLatency unanswered(long asked, long now) {
        return split(asked, now, now);
    }

    /** Splits the latency of a spend that was settled at the given time, by a reply or by the loss of its connection. */
    public SpendLatency responded(long asked, long settled, long now) {
        return split(asked, settled, now);
    }

    private SpendLatency split(long asked, long settled, long now) {
        long whole = settled - asked;
        // Read the end before the start: both may be set meanwhile, and an end that is set implies a start.
        long untilWritten = until(written, asked, whole);
        long queue = until(begun, asked, whole);
        return new SpendLatency(queue, Math.max(untilWritten - queue, 0), now - settled);
    }

    private static long until(long instant, long asked, long whole) {
        return instant == 0 ? whole : Math.min(instant - asked, whole);
    }
}
