package dev.postern.core.headers;

import dev.postern.core.http.FieldName;
import dev.postern.core.http.Method;
import dev.postern.core.http.RequestHead;
import org.jspecify.annotations.Nullable;

/**
 * How many more gateways may pass an OPTIONS on (RFC 9110 section 7.6.2); other methods have no such bound, and TRACE goes nowhere at all.
 */
public final class MaxForwards {

    private static final int MAX_DIGITS = 18;

    /** What becomes of a request. */
    public enum Verdict {
        GOES_ON,
        /** It is ours to answer: it may not be passed on. */
        ENDS_HERE,
        MALFORMED
    }

    private MaxForwards() {}

    /** Judges a request, and takes one off where it goes on. */
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
        long left = Long.parseLong(text);
        if (left == 0) {
            return Verdict.ENDS_HERE;
        }
        request.set(FieldName.MAX_FORWARDS, Long.toString(left - 1));
        return Verdict.GOES_ON;
    }
}
