package dev.postern.auth.spend.store;

import dev.postern.auth.spend.SpendLatency;

/**
 * Write timing: the start and the end of writing a command. Commands written together share one timing. Times are of
 * one ticker.
 *
 * <p>Set by the writing thread, start before end; read by any thread.
 */
public final class WriteTiming {

    /** A time that no ticker reaches: not yet. */
    private static final long UNSET = Long.MIN_VALUE;

    private volatile long begun = UNSET;
    private volatile long written = UNSET;

    public void begin(long now) {
        begun = now;
    }

    public void end(long now) {
        written = now;
    }

    /** Returns the deadline of a reply that may take {@code nanos} from the start of writing; {@code otherwise} before the start. */
    public long due(long nanos, long otherwise) {
        long start = begun;
        return start == UNSET ? otherwise : start + nanos;
    }

    /** Splits the latency of a spend without a reply. The open part, which is the store's once the command is written, ends now. */
    public SpendLatency unanswered(long sent, long now) {
        return split(sent, now, now);
    }

    /** Splits the latency of a spend that was settled at the given time, by a reply or by the loss of its connection. */
    public SpendLatency responded(long sent, long settled, long now) {
        return split(sent, settled, now);
    }

    private SpendLatency split(long sent, long settled, long now) {
        long total = settled - sent;
        // Read the end before the start: both may be set meanwhile, and an end that is set implies a start.
        long untilWritten = until(written, sent, total);
        long queue = until(begun, sent, total);
        return new SpendLatency(queue, Math.max(untilWritten - queue, 0), now - settled);
    }

    private static long until(long instant, long sent, long total) {
        return instant == UNSET ? total : Math.min(instant - sent, total);
    }
}
