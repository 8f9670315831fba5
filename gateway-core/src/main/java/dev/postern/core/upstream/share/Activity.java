package dev.postern.core.upstream.share;

/**
 * Activity of an exchange that holds a connection or a stream.
 *
 * @param nanos for {@link Kind#CLIENT}, the time for which the client owes bytes ({@link ClientWait}); else the time since a byte moved
 */
public record Activity(Kind kind, long nanos) {

    /** Kind of activity, by what the exchange waits for. */
    public enum Kind {
        /** The client: its body is incomplete and no response has begun, or it does not take the bytes of its response. */
        CLIENT,
        /** Either side: the response has begun, or the exchange is a tunnel. */
        OPEN,
        /** The upstream, whose response has not begun. */
        UPSTREAM
    }
}
