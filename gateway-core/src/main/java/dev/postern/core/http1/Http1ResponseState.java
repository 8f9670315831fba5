package dev.postern.core.http1;

/**
 * State of one response on an HTTP/1.1 connection.
 *
 * <pre>{@code
 *             head               data, flush                 end, tunnel
 *   NO_HEAD --------> HEAD_HELD -------------> HEAD_WRITTEN -------------> COMPLETE
 *    |  ^              |   |                        |                         ^
 *    |  |   replaced   |   |      end, tunnel       |                         |
 *    |  +--------------+   +------------------------|-------------------------+
 *    |                     |                        |
 *    |  cut                |  cut                   |  cut
 *    +---------------------+------------------------+----------------------> CUT
 * }</pre>
 *
 * <p>Interim heads change nothing. A closed connection makes every response COMPLETE: nothing more is written. Whether earlier responses
 * are written is not part of the state, because a response may reach each state while it waits for them.
 */
enum Http1ResponseState {

    /** No final head. */
    NO_HEAD,

    /** The final head waits for data in the same buffer; another response may still replace it. */
    HEAD_HELD,

    /** The final head was written; its body follows. */
    HEAD_WRITTEN,

    /** All was written, or nothing more can be. */
    COMPLETE,

    /** The connection ends behind what was written, without a regular end of the body. */
    CUT;

    /** Returns the next state when what is held is written. */
    Http1ResponseState written() {
        return this == HEAD_HELD ? HEAD_WRITTEN : this;
    }

    /** Returns whether nothing more will be written. */
    boolean handedOver() {
        return this == COMPLETE || this == CUT;
    }
}
