package dev.postern.core.transport;

import java.time.Duration;

/**
 * Budget of a lingering connection: how long, and for how many bytes, the gateway reads what it drops, so that the client finds the
 * response. Times in nanoseconds of one clock. Not thread-safe.
 */
final class LingerBudget {

    /**
     * Limits of a lingering connection. Each byte costs its copy from the kernel only, and the connection counts in
     * {@code limits.connections}, so that an honest upload decides how large they are.
     *
     * @param silence without a byte: the client waits for us, or has vanished
     * @param total from the end of the output
     * @param bytes that are dropped
     */
    record Limits(Duration silence, Duration total, long bytes) {}

    /** Limits of the times of nginx, {@code lingering_timeout} and {@code lingering_time}; nginx bounds no bytes. */
    static final Limits DEFAULT = new Limits(Duration.ofSeconds(5), Duration.ofSeconds(30), 64 << 20);

    private final long silence;
    private final long total;
    private long bytesLeft;
    private long begun;
    private long lastByte;

    LingerBudget(Limits limits) {
        this.silence = limits.silence().toNanos();
        this.total = limits.total().toNanos();
        this.bytesLeft = limits.bytes();
    }

    /** Starts the times: the output has ended. */
    void begin(long now) {
        begun = now;
        lastByte = now;
    }

    /** Counts dropped bytes, also before the begin; false when no more may be dropped. */
    boolean drop(long now, int bytes) {
        lastByte = now;
        bytesLeft -= bytes;
        return bytesLeft > 0;
    }

    /** Returns the time until the connection is to be closed if no byte arrives; zero or less when it is over. */
    long left(long now) {
        return Math.min(silence - (now - lastByte), total - (now - begun));
    }
}
