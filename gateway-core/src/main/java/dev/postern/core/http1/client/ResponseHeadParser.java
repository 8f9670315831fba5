package dev.postern.core.http1.client;

import dev.postern.core.http.HeadLimits;
import dev.postern.core.http.HttpChars;
import dev.postern.core.http.HttpParseException;
import dev.postern.core.http.Method;
import dev.postern.core.http.Refusal;
import dev.postern.core.http.ResponseHead;
import dev.postern.core.http1.RequestHeadParser;
import dev.postern.core.http1.codec.Framing;
import dev.postern.core.http1.codec.HeadParser;

/**
 * Parser of response heads (RFC 9112 section 4), as strict as for requests where two readings change where a message ends: upstreams are not
 * trusted more than clients. The spellings that it accepts beyond are listed in docs/http.md.
 */
public final class ResponseHeadParser extends HeadParser<ResponseHead> {

    private static final int VERSION = 8;
    private static final int DIGITS = 3;
    private static final int SHORTEST = VERSION + 1 + DIGITS;
    private static final int LEAST = 100;

    private Method method = Method.GET;

    public ResponseHeadParser(HeadLimits limits) {
        super(limits, new ResponseHead());
    }

    /** Sets the method of the request of the next head; decides whether the response has a body. */
    public void method(Method method) {
        this.method = method;
    }

    @Override
    protected Refusal startLineTooLong() {
        return Refusal.UPSTREAM_MALFORMED;
    }

    @Override
    protected void startLine(ResponseHead head, byte[] bytes, int start, int end) {
        // HTTP/1.1 200 OK; the reason may be empty, and some servers omit the blank before it, or write two after the
        // version.
        if (end - start < SHORTEST || bytes[start + VERSION] != ' ') {
            throw HttpParseException.malformed("status line");
        }
        head.minorVersion(RequestHeadParser.minorVersion(bytes, start));
        int from = start + VERSION + 1;
        while (from < end && bytes[from] == ' ') {
            from++;
        }
        int after = from + DIGITS;
        if (after > end || (after < end && bytes[after] != ' ')) {
            throw HttpParseException.malformed("status line");
        }
        head.status(status(bytes, from, after));
        for (int i = after; i < end; i++) {
            if (!HttpChars.value(bytes[i])) {
                throw HttpParseException.malformed("reason");
            }
        }
    }

    /** Returns a status of three digits. 600 to 999 mean nothing, but some servers send them (RFC 9110 section 15). */
    private static int status(byte[] bytes, int from, int after) {
        int status = 0;
        for (int i = from; i < after; i++) {
            if (bytes[i] < '0' || bytes[i] > '9') {
                throw HttpParseException.malformed("status");
            }
            status = status * 10 + (bytes[i] - '0');
        }
        if (status < LEAST) {
            throw HttpParseException.malformed("status");
        }
        return status;
    }

    @Override
    protected void complete(ResponseHead head) {
        boolean more = Framing.bodyMayFollow(head, method);
        long length = Framing.responseBody(head, method);
        head.bodyLength(length);
        head.keepAlive(!more && length != ResponseHead.UNTIL_CLOSE && Framing.keepAlive(head, head.minorVersion()));
    }
}
