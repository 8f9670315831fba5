package dev.postern.core.http2.client;

/** Queue of a request's body that waits for the server's window, as the number of its bytes. Plain object; one event loop. */
final class RequestBodyQueue {

    /** Number of bytes from which on the client is paused. */
    private static final int MAX_BYTES = 64 * 1024;

    /** Number of bytes that each piece counts at least: a queue of tiny frames takes more memory than their bytes. */
    private static final int MIN_PIECE = 256;

    private int bytes;
    private boolean paused;

    /** Begins the body of a new request. */
    void begin() {
        bytes = 0;
        paused = false;
    }

    /** Adds a piece of so many bytes; returns how many it counts, for {@link #written}. */
    int add(int length) {
        int counted = Math.max(MIN_PIECE, length);
        bytes += counted;
        return counted;
    }

    /** Removes a written piece; returns whether a client that was paused may send again. */
    boolean written(int counted) {
        bytes -= counted;
        return paused && writable();
    }

    /** Returns whether more may be added; otherwise the client is to be paused. */
    boolean writable() {
        paused = bytes >= MAX_BYTES;
        return !paused;
    }
}
