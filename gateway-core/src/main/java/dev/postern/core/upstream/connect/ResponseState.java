package dev.postern.core.upstream.connect;

/**
 * State of the response on an upstream stream, which carries one exchange after the other.
 *
 * <pre>{@code
 *          send             first byte            final head            last byte
 *   IDLE ---------> SENT ---------------> BEGUN ---------------> BODY ---------------> COMPLETE
 *    ^               |                      |                      |                      |
 *    |               | lost, aborted        | lost, aborted,       | complete,            | delivered,
 *    |               |                      | upgraded             | lost, aborted        | aborted
 *    +---------------+----------------------+----------------------+----------------------+
 * }</pre>
 *
 * <p>A stream has a {@link UpstreamResponseHandler handler} in every state but IDLE, and drops it as it becomes IDLE: the handler gets its
 * last call then. Interim heads change nothing in BEGUN. HTTP/1.1 delivers the last byte at once and skips COMPLETE. A stream that became a
 * tunnel stays in BODY.
 */
public enum ResponseState {

    /** No exchange: bytes that arrive are an error. */
    IDLE,

    /** The request was sent, and no byte of a response arrived: a failure now may mean that the connection was stale. */
    SENT,

    /** Bytes arrived, but no final head. */
    BEGUN,

    /** The final head arrived; its body is awaited. */
    BODY,

    /** The whole response arrived; some of it waits for a reader. */
    COMPLETE
}
