package dev.postern.core.http;

import java.util.List;

/** Rules for request fields that determine framing, applied equally strictly to HTTP/1.1 and HTTP/2. */
public final class RequestFieldRules {

    private static final int MAX_DIGITS = 18;

    private static final LookAlikeNames FRAMING = LookAlikeNames.of(List.of("content-length", "transfer-encoding"));

    private RequestFieldRules() {}

    /** Returns the value of the only Content-Length (RFC 9110 section 8.6), or -1 without one; throws {@link HttpParseException}. */
    public static long contentLength(Head head) {
        int index = head.next(FieldName.CONTENT_LENGTH, 0);
        if (index < 0) {
            return -1;
        }
        if (head.next(FieldName.CONTENT_LENGTH, index + 1) >= 0) {
            throw HttpParseException.malformed("several Content-Lengths");
        }
        int digits = head.valueLength(index);
        if (digits < 1 || digits > MAX_DIGITS) {
            throw HttpParseException.malformed("Content-Length");
        }
        byte[] bytes = head.bytes();
        int start = head.valueStart(index);
        long length = 0;
        for (int i = start; i < start + digits; i++) {
            byte b = bytes[i];
            if (b < '0' || b > '9') {
                throw HttpParseException.malformed("Content-Length");
            }
            length = length * 10 + (b - '0');
        }
        return length;
    }

    /** Throws {@link HttpParseException} for a field whose name some servers treat as a framing field, such as {@code Content_Length}. */
    public static void framingNames(RequestHead head) {
        for (int i = head.next(FRAMING, 0); i >= 0; i = head.next(FRAMING, i + 1)) {
            if (!head.named(i, FieldName.CONTENT_LENGTH) && !head.named(i, FieldName.TRANSFER_ENCODING)) {
                throw HttpParseException.malformed("a name like that of a framing field");
            }
        }
    }

    /**
     * Checks the one Host field of a request whose target has an authority of its own, which is already in the head.
     *
     * <p>To a forward proxy, and for CONNECT, the target alone counts (RFC 9112 section 3.2.2): some clients send the destination without its
     * port as Host, others the name of the proxy. The target replaces the field, so that nothing behind reads another name. For the other
     * requests of a reverse listener the rule is stricter than the RFC: both must name the same host and port, because the proxies before the
     * gateway may have decided by either; throws {@link HttpParseException} when they differ.
     *
     * @param host the normalised value of the field; may be empty
     * @param scheme decides which port is the default
     * @param forward whether the listener is a forward proxy
     */
    public static void host(RequestHead head, String host, String scheme, boolean forward) {
        String authority = head.authority();
        if (forward || head.method().equals(Method.CONNECT)) {
            if (!host.equals(authority)) {
                head.set(FieldName.HOST, authority);
            }
        } else if (!Authority.same(authority, host, scheme)) {
            throw HttpParseException.malformed("Host and target differ");
        }
    }

    /** Reads Expect (RFC 9110 section 10.1.1); throws {@link HttpParseException} for any expectation but 100-continue. */
    public static void expectation(RequestHead head) {
        int index = head.next(FieldName.EXPECT, 0);
        if (index < 0) {
            return;
        }
        if (!head.valueAt(index).equalsIgnoreCase("100-continue") || head.next(FieldName.EXPECT, index + 1) >= 0) {
            throw new HttpParseException(Refusal.EXPECTATION_FAILED, "expectation");
        }
        head.expectsContinue(head.hasBody());
    }
}
