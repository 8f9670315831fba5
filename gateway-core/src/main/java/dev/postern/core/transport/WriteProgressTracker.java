package dev.postern.core.transport;

import org.jspecify.annotations.Nullable;

/** Tells from looks at what waits to be sent whether the other side has stopped taking it. */
final class WriteProgressTracker {

    private final long mostNanos;
    private @Nullable Object first;
    private long progress;
    private long pending;
    private long start;

    WriteProgressTracker(long mostNanos) {
        this.mostNanos = mostNanos;
    }

    /** Something waits since {@code now}, of {@link System#nanoTime}; all times are. */
    void begin(long now, @Nullable Object head, long sentOfIt, long bytes) {
        first = head;
        progress = sentOfIt;
        pending = bytes;
        start = now;
    }

    /**
     * Another look; true when not a byte was taken for too long. That more was added is no progress.
     *
     * @param head what is to be sent next
     * @param sentOfIt bytes of that which are sent already
     * @param bytes all that waits
     */
    boolean stalled(long now, @Nullable Object head, long sentOfIt, long bytes) {
        if (head != first || sentOfIt != progress || bytes < pending) {
            begin(now, head, sentOfIt, bytes);
            return false;
        }
        pending = bytes;
        return now - start >= mostNanos;
    }

    /** Forgets what it saw, so that nothing is kept alive by it. */
    void end() {
        first = null;
    }
}
