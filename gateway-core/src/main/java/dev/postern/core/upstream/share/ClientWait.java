package dev.postern.core.upstream.share;

/**
 * Time for which the gateway has waited for a client that should send or take bytes. Time passes only while the gateway waits, and each
 * byte takes time back, so that a slow client that goes on does not wait, and one that sends a byte now and then does. Times in
 * nanoseconds of one ticker. Event loop only.
 */
public final class ClientWait {

    /** Bytes that take back one second. */
    public static final long BYTES_PER_SECOND = 1024;

    private static final long NANOS_PER_BYTE = 1_000_000_000 / BYTES_PER_SECOND;

    private boolean waiting;
    private long since;
    private long waited;

    /** Starts or continues waiting. */
    public void start(long now) {
        if (!waiting) {
            waiting = true;
            since = now;
        }
    }

    /** Stops waiting: the client need not do anything now. */
    public void stop(long now) {
        waited = nanos(now);
        waiting = false;
    }

    /** Forgets the time so far, which the client could not use. */
    public void restart(long now) {
        waited = 0;
        since = now;
    }

    /** Counts bytes that the client sent or took. */
    public void moved(long bytes, long now) {
        waited = Math.max(0, nanos(now) - bytes * NANOS_PER_BYTE);
        since = now;
    }

    /** Returns the time of waiting. */
    public long nanos(long now) {
        return waiting ? waited + now - since : waited;
    }
}
