package dev.postern.core.http1.client;

import dev.postern.core.http.HttpChars;
import dev.postern.core.http.HttpParseException;
import dev.postern.core.http.Method;
import dev.postern.core.http.Refusal;
import dev.postern.core.http.ResponseHead;
import dev.postern.core.http1.RequestHeadParser;
import dev.postern.core.http1.codec.Framing;
import dev.postern.core.http1.codec.HeadLimits;
import dev.postern.core.http1.codec.HeadParser;

/** Parser of response heads (RFC 9112 section 4), as strict as for requests: upstreams are not trusted more than clients. */
public final class ResponseHeadParser extends HeadParser<ResponseHead> {

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
        // HTTP/1.1 200 OK; the reason may be empty, and some servers omit the space before it.
        if (end - start < 12 || bytes[start + 8] != ' ' || (end - start > 12 && bytes[start + 12] != ' ')) {
            throw HttpParseException.malformed("status line");
        }
        head.minorVersion(RequestHeadParser.minorVersion(bytes, start));
        int status = 0;
        for (int i = start + 9; i < start + 12; i++) {
            if (bytes[i] < '0' || bytes[i] > '9') {
                throw HttpParseException.malformed("status");
            }
            status = status * 10 + (bytes[i] - '0');
        }
        if (status < 100 || status > 599) {
            throw HttpParseException.malformed("status");
        }
        for (int i = start + 12; i < end; i++) {
            if (!HttpChars.value(bytes[i])) {
                throw HttpParseException.malformed("reason");
            }
        }
        head.status(status);
    }

    @Override
    protected void complete(ResponseHead head) {
        long length = Framing.responseBody(head, method);
        head.bodyLength(length);
        head.keepAlive(length != ResponseHead.UNTIL_CLOSE && Framing.keepAlive(head, head.minorVersion()));
    }
}
