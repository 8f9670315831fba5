package dev.postern.auth.key;

import java.time.Duration;

/**
 * Rate limit for requested fetches of a directory; also decides whether the last fetch is recent enough to be used instead. Thread-safe.
 */
final class RefreshRateLimit {

    /** Minimum time between the starts of two fetches. */
    static final Duration MIN_INTERVAL = Duration.ofSeconds(5);

    /**
     * Age up to which an ended fetch counts as just ended; longer than the time between a failed key lookup and its request for a fetch.
     */
    static final Duration JUST_NOW = Duration.ofMillis(500);

    private volatile long begun;
    private volatile long ended;

    /** @param now of the ticker; no fetch has run yet */
    RefreshRateLimit(long now) {
        begun = now - MIN_INTERVAL.toNanos();
        ended = begun;
    }

    void begin(long now) {
        begun = now;
    }

    void end(long now) {
        ended = now;
    }

    /** Returns whether a fetch has just ended, so that a repeated key lookup is enough. */
    boolean justEnded(long now) {
        return now - ended < JUST_NOW.toNanos();
    }

    boolean allows(long now) {
        return now - begun >= MIN_INTERVAL.toNanos();
    }
}
