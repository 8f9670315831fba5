package dev.postern.core.http2;

/**
 * State of one response on its stream (RFC 9113 section 5.1).
 *
 * <pre>{@code
 *             end                          sent
 *   OPEN ---------------> ENDED ------------------------------------------> FINISHED
 *    |                      |                                                  ^
 *    |                      +------------------------------------------------->+
 *    |                                             reset                       |
 *    |    half-close                sent                 client ended          |
 *    +---------------> HALF_CLOSED -------> HALF_SENT ------------------------>+
 *    |                      |                   |                              |
 *    |    cut, reset        |  cut, reset       |  cut, reset                  |
 *    +----------------------+-------------------+------------------------------+
 * }</pre>
 *
 * <p>Reset stands for all that ends the stream before its time: the client's RST_STREAM, a closed connection, a failed write. The exchange
 * ends as the response becomes FINISHED. The two half-closed states belong to tunnels, whose client may go on sending.
 */
enum Http2ResponseState {

    /** More may be written. */
    OPEN,

    /** All was handed over; some of it waits for the client's windows or the socket. */
    ENDED,

    /** All of this direction of a tunnel was handed over; some of it waits. */
    HALF_CLOSED,

    /** All of this direction of a tunnel was sent; the client's end is awaited. */
    HALF_SENT,

    /** All was sent, or never will be. */
    FINISHED;

    /**
     * Returns the next state when the last part was sent.
     *
     * @param closed whether the client's side has ended too
     */
    Http2ResponseState sent(boolean closed) {
        return this == HALF_CLOSED && !closed ? HALF_SENT : FINISHED;
    }

    /** Returns whether only one direction of a tunnel has ended. */
    boolean halfClosed() {
        return this == HALF_CLOSED || this == HALF_SENT;
    }
}
