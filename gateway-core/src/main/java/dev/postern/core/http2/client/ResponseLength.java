package dev.postern.core.http2.client;

import dev.postern.core.http.Method;
import dev.postern.core.http.ResponseContent;
import dev.postern.core.http.ResponseHead;

/** Length of a response's content, as its head announces it and as received (RFC 9113 section 8.1.1). Plain object; one event loop. */
final class ResponseLength {

    private static final long UNKNOWN = -1;

    private long announced = UNKNOWN;
    private long received;
    private boolean none;

    /** Begins a response whose head has not arrived. */
    void begin() {
        unknown();
        received = 0;
    }

    /** Handles the final head of the response to a request with that method. */
    void head(ResponseHead head, Method method) {
        none = ResponseContent.none(head.status(), method);
        announced = none ? 0 : head.bodyLength();
    }

    /** Signals that a tunnel follows the head, which has any length. */
    void unknown() {
        none = false;
        announced = UNKNOWN;
    }

    /** Returns whether content of so many bytes follows a head that allows none. */
    boolean forbids(int bytes) {
        return none && bytes > 0;
    }

    /** Counts a piece of the content; returns whether the length is still as announced. */
    boolean receive(int bytes, boolean last) {
        received += bytes;
        return announced < 0 || (received <= announced && !(last && missing()));
    }

    /** Returns whether the content is shorter than announced. */
    boolean missing() {
        return announced >= 0 && received < announced;
    }

    /** Returns whether all content that the head announced was received. */
    boolean complete() {
        return received == announced;
    }
}
