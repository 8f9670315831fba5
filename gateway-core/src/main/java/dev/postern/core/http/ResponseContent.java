package dev.postern.core.http;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Response content rules: which responses have none, and which of those must not even announce a length (RFC 9110 sections 6.4.1, 8.6). */
public final class ResponseContent {

    private static final Pattern LENGTH = Pattern.compile("[ \t]*+([0-9]{1,18})[ \t]*+");
    private static final int OK = 200;
    private static final int NO_CONTENT = 204;
    private static final int MULTIPLE_CHOICES = 300;
    private static final int NOT_MODIFIED = 304;

    private ResponseContent() {}

    /** Returns whether a response with that status to that method ends with its head, whatever its framing fields say. */
    public static boolean none(int status, Method method) {
        return unframed(status)
                || status == NOT_MODIFIED
                || method.equals(Method.HEAD)
                || (method.equals(Method.CONNECT) && status < MULTIPLE_CHOICES);
    }

    /** Returns whether responses with that status must have no Content-Length and no Transfer-Encoding, to any request. */
    public static boolean unframed(int status) {
        return status < OK || status == NO_CONTENT;
    }

    /**
     * Returns the value of Content-Length, or -1 without one. The same length several times, in one field or in several, is one length (RFC
     * 9110 section 8.6) and becomes one field; throws {@link HttpParseException} for all else.
     */
    public static long length(ResponseHead head) {
        int index = head.next(FieldName.CONTENT_LENGTH, 0);
        if (index < 0) {
            return -1;
        }
        boolean repeated = head.commas(index) > 0 || head.next(FieldName.CONTENT_LENGTH, index + 1) >= 0;
        if (repeated) {
            head.set(FieldName.CONTENT_LENGTH, Long.toString(common(head, index)));
        }
        return RequestFieldRules.contentLength(head);
    }

    private static long common(ResponseHead head, int first) {
        long common = -1;
        for (int i = first; i >= 0; i = head.next(FieldName.CONTENT_LENGTH, i + 1)) {
            for (String member : head.valueAt(i).split(",", -1)) {
                Matcher length = LENGTH.matcher(member);
                if (!length.matches() || (common >= 0 && common != Long.parseLong(length.group(1)))) {
                    throw HttpParseException.malformed("several Content-Lengths");
                }
                common = Long.parseLong(length.group(1));
            }
        }
        return common;
    }

    /**
     * Removes the framing fields that a client must not receive. HTTP/2 libraries reset a stream whose 1xx or 204 head has a Content-Length,
     * and in the head that opens a tunnel it would bound the tunnel's bytes.
     */
    public static void unframe(ResponseHead head, RequestHead request) {
        int status = head.status();
        boolean tunnel = status < MULTIPLE_CHOICES
                && (request.messageMethod().equals(Method.CONNECT)
                        || (request.majorVersion() > 1 && request.mayTunnel()));
        if (tunnel || unframed(status)) {
            head.remove(FieldName.CONTENT_LENGTH);
            head.remove(FieldName.TRANSFER_ENCODING);
        }
    }
}
