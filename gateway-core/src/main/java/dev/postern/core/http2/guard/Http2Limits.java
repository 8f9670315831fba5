package dev.postern.core.http2.guard;

import dev.postern.core.rate.Gcra;
import java.time.Duration;

/**
 * Limits of one HTTP/2 connection, in addition to the limits of all protocols.
 *
 * @param maxStreams concurrent streams
 * @param streamWindow bytes of one body that may be sent before they are read; a connection may send sixteen times as many
 * @param headerTable bytes of the dynamic table of each side (RFC 7541 section 4.2)
 * @param continuations CONTINUATION frames of one field block at most
 * @param windowTimeout how long a response waits for a window that the client keeps closed
 * @param rates limits per time
 */
public record Http2Limits(
        int maxStreams, int streamWindow, int headerTable, int continuations, Duration windowTimeout, Rates rates) {

    /** Window of a connection, in windows of its streams. */
    static final int WINDOWS = 16;

    public static final Http2Limits DEFAULTS =
            new Http2Limits(128, 64 * 1024, 4096, 8, Duration.ofSeconds(30), Rates.DEFAULTS);

    /**
     * Rates of actions that cost the gateway more than the client.
     *
     * @param resets streams that the client opens and resets
     * @param faults streams that the gateway resets because of the client
     * @param control frames without content: SETTINGS, PING and empty ones, each kind counted separately
     */
    public record Rates(Gcra resets, Gcra faults, Gcra control) {

        private static final long MINUTE = 60_000_000;

        static final Rates DEFAULTS =
                new Rates(Gcra.of(400, MINUTE, 399), Gcra.of(200, MINUTE, 199), Gcra.of(600, MINUTE, 599));
    }

    /** Returns the bytes of all bodies of a connection that may be sent before they are read. */
    public int connectionWindow() {
        return (int) Math.min(Integer.MAX_VALUE, (long) streamWindow * WINDOWS);
    }
}
