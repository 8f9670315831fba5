package dev.postern.core.proxy;

/**
 * State of an {@link UpstreamAttempt}; the response may begin in each but OVER.
 *
 * <pre>{@code
 *   AWAITING --- 100 (Continue), or patience over ---> SENDING --- end of the request ---> SENT
 *   all --- response complete, failure, drop ---> OVER
 * }</pre>
 */
enum AttemptState {

    /** The body waits for the upstream's 100 (Continue). */
    AWAITING,

    /** The client's body is read and sent. */
    SENDING,

    /** The request was sent. */
    SENT,

    /** Nothing more is sent or received. */
    OVER
}
