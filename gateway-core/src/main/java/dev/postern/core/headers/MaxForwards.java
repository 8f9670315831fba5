package dev.postern.core.headers;

import dev.postern.core.http.FieldName;
import dev.postern.core.http.Method;
import dev.postern.core.http.RequestHead;
import org.jspecify.annotations.Nullable;

/**
 * Max-Forwards: limits the number of further gateways for an OPTIONS request (RFC 9110 section 7.6.2). Other methods have no such limit,
 * and TRACE is never forwarded.
 */
public final class MaxForwards {

    private static final int MAX_DIGITS = 18;

    /** Verdict about a request. */
    public enum Verdict {
        GOES_ON,
        /** The gateway itself has to respond: the request must not be forwarded. */
        ENDS_HERE,
        MALFORMED
    }

    private MaxForwards() {}

    /** Judges a request, and decrements its value if the request may be forwarded. */
    public static Verdict judge(RequestHead request) {
        if (!request.method().equals(Method.OPTIONS)) {
            return Verdict.GOES_ON;
        }
        @Nullable String text = request.joined(FieldName.MAX_FORWARDS);
        if (text == null) {
            return Verdict.GOES_ON;
        }
        if (!text.matches("[0-9]{1," + MAX_DIGITS + "}")) {
            return Verdict.MALFORMED;
        }
        long remaining = Long.parseLong(text);
        if (remaining == 0) {
            return Verdict.ENDS_HERE;
        }
        request.set(FieldName.MAX_FORWARDS, Long.toString(remaining - 1));
        return Verdict.GOES_ON;
    }
}
