package dev.postern.core.http2.guard;

import dev.postern.core.rate.Gcra;
import java.time.Duration;

/**
 * What a client may take of HTTP/2 beyond what every client may take.
 *
 * @param maxStreams streams at once
 * @param streamWindow bytes of one body that may be sent ahead of its reader; a connection may send sixteen times as many
 * @param headerTable bytes of fields that each side remembers for compression (RFC 7541 section 4.2)
 * @param continuations CONTINUATION frames of one field block at most
 * @param windowTimeout how long a response waits for a window that the client keeps shut
 * @param rates how often
 */
public record Http2Limits(
        int maxStreams, int streamWindow, int headerTable, int continuations, Duration windowTimeout, Rates rates) {

    /** Windows of a connection, in windows of its streams. */
    static final int WINDOWS = 16;

    public static final Http2Limits DEFAULTS =
            new Http2Limits(128, 64 * 1024, 4096, 8, Duration.ofSeconds(30), Rates.DEFAULTS);

    /**
     * How often a client may do what costs us more than it.
     *
     * @param resets streams that it opens and takes back
     * @param faults streams that it makes us reset
     * @param control frames that carry nothing: SETTINGS, PING and empty ones, each kind by itself
     */
    public record Rates(Gcra resets, Gcra faults, Gcra control) {

        private static final long MINUTE = 60_000_000;

        static final Rates DEFAULTS =
                new Rates(Gcra.of(400, MINUTE, 399), Gcra.of(200, MINUTE, 199), Gcra.of(600, MINUTE, 599));
    }

    /** Bytes of all bodies of a connection that may be sent ahead of their readers. */
    public int connectionWindow() {
        return (int) Math.min(Integer.MAX_VALUE, (long) streamWindow * WINDOWS);
    }
}
