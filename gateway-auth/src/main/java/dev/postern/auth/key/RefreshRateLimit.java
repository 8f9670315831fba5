package dev.postern.auth.key;

import java.time.Duration;

/** When a directory may be fetched because somebody asked, and when the response of the last fetch is what they need. Thread-safe. */
final class RefreshRateLimit {

    /** A fetch starts at most once in so long, whoever asks. */
    static final Duration MIN_INTERVAL = Duration.ofSeconds(5);

    /** Longer than it takes to ask for a key that one has looked for in vain: a fetch may end in between. */
    static final Duration JUST_NOW = Duration.ofMillis(500);

    private volatile long begun;
    private volatile long ended;

    /** @param now of {@link System#nanoTime}; nothing was fetched yet */
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

    /** Whether who looked for a key before need only look again. */
    boolean justEnded(long now) {
        return now - ended < JUST_NOW.toNanos();
    }

    boolean allows(long now) {
        return now - begun >= MIN_INTERVAL.toNanos();
    }
}
