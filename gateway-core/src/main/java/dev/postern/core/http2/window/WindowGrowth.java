package dev.postern.core.http2.window;

/**
 * Rule for the size of one receive window: twice the bytes that the reader took in a round trip, because the peer can send no faster than
 * one window in a round trip; four times while the window is the limit or the bytes become twice as many, because a larger window shows its
 * effect only two round trips later. Bytes that are held for a reader do not count, so a reader that stops gets no larger window. Windows
 * never shrink: what a peer was granted cannot be withdrawn (RFC 9113 section 6.9.2). Plain object; one event loop.
 */
final class WindowGrowth {

    /** Part of a window that is in flight at least when it is the limit; the rest is on its way back. */
    private static final double LIMITING = 0.75;

    /** Times the bytes taken, up to which the first growth goes at once where an earlier body has shown that the way needs it. */
    private static final long REPEATED = 16;

    private final int first;
    private final int reserve;
    private int size;
    private long since;
    private long taken;
    private double previous;
    private boolean measuring;

    /**
     * @param first bytes of the window that the peer already has
     * @param reserve bytes beside those that the reader takes, for readers that have not begun
     */
    WindowGrowth(int first, int reserve) {
        this.first = first;
        this.reserve = reserve;
        this.size = first;
    }

    /**
     * Counts bytes that the reader took. Returns by how much the window should grow, mostly 0; {@link #grow} makes it so.
     *
     * @param now in nanoseconds
     * @param roundTrip nanoseconds of the connection's round trip, or 0 when it is unknown
     * @param max bytes of the window at most
     * @param proven bytes that an earlier body on the same way needed; 0 for none
     */
    int taken(int bytes, long now, long roundTrip, int max, int proven) {
        if (!measuring) {
            measuring = true;
            since = now;
        }
        long elapsed = now - since;
        if (roundTrip <= 0) {
            return 0;
        }
        if (elapsed < roundTrip) {
            taken += bytes;
            return begun() ? (int) Math.max(0, Math.min(Math.min(max, proven), REPEATED * taken) - size) : 0;
        }
        // A time without bytes, and a late event loop, make the measurement longer than the round trip.
        double inRoundTrip = (double) taken * roundTrip / elapsed;
        double faster = previous > 0 ? Math.max(1, Math.min(2, inRoundTrip / previous)) : 1;
        if (inRoundTrip >= LIMITING * size) {
            faster = 2;
        }
        previous = inRoundTrip;
        since = now;
        taken = bytes;
        long wanted = Math.min(max, reserve + (long) (2 * faster * inRoundTrip));
        return (int) Math.max(0, wanted - size);
    }

    /** Returns whether the reader takes a body for the first time, and has taken half of the first window. */
    private boolean begun() {
        return previous == 0 && size == first && 2 * taken >= size;
    }

    /** Records that the window was enlarged. */
    void grow(int bytes) {
        size += bytes;
    }

    int size() {
        return size;
    }

    /** Returns by how many bytes the window exceeds its first size. */
    int grown() {
        return size - first;
    }
}
