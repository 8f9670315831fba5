package dev.postern.core.http2.guard;

/**
 * Cancellation of an exchange by its client.
 *
 * @param livedNanos age of the stream
 * @param responding whether the final head of the response was written
 * @param closesUpstream whether it closes a connection to an upstream, which otherwise could have carried other exchanges
 */
public record Cancellation(long livedNanos, boolean responding, boolean closesUpstream) {

    private static final long USED_NANOS = 1_000_000_000;

    /** Returns whether the cancellation counts: what ends had not been used for a while, or costs a connection. */
    boolean counts() {
        return livedNanos < USED_NANOS || !responding || closesUpstream;
    }
}
