package dev.postern.core.transport;

import org.jspecify.annotations.Nullable;

/** Tracks the progress of pending writes by sampling, and detects that the peer has stopped reading. */
final class WriteProgressTracker {

    private final long mostNanos;
    private @Nullable Object first;
    private long progress;
    private long pending;
    private long start;

    WriteProgressTracker(long mostNanos) {
        this.mostNanos = mostNanos;
    }

    /** Starts tracking pending bytes at {@code now}; all times are those of one ticker. */
    void begin(long now, @Nullable Object head, long sentOfIt, long bytes) {
        first = head;
        progress = sentOfIt;
        pending = bytes;
        start = now;
    }

    /**
     * Takes another sample; returns true when the socket has taken no byte for too long. Added bytes are no progress.
     *
     * @param head the message that is sent next
     * @param sentOfIt bytes of that message that are already sent
     * @param bytes all pending bytes
     */
    boolean stalled(long now, @Nullable Object head, long sentOfIt, long bytes) {
        if (head != first || sentOfIt != progress || bytes < pending) {
            begin(now, head, sentOfIt, bytes);
            return false;
        }
        pending = bytes;
        return now - start >= mostNanos;
    }

    /** Clears the reference to the message, so that it can be collected. */
    void end() {
        first = null;
    }
}
