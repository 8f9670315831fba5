package dev.postern.core.http1;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import dev.postern.core.http.Authority;
import dev.postern.core.http.Chars;
import dev.postern.core.http.Fault;
import dev.postern.core.http.FieldName;
import dev.postern.core.http.Method;
import dev.postern.core.http.Refusal;
import dev.postern.core.http.RequestFields;
import dev.postern.core.http.RequestHead;
import dev.postern.core.http.TargetReader;
import dev.postern.core.http1.codec.Framing;
import dev.postern.core.http1.codec.HeadLimits;
import dev.postern.core.http1.codec.HeadScanner;

/** Reads request heads (RFC 9112 section 3) and refuses whatever two parsers could read differently. */
public final class RequestScanner extends HeadScanner<RequestHead> {

    private static final int LONGEST_METHOD = 24;

    private final boolean secure;
    private final KnownHost known = new KnownHost();
    private int targetStart;
    private int targetEnd;

    /** @param secure whether the connection is TLS: the scheme of targets in origin-form */
    RequestScanner(HeadLimits limits, boolean secure) {
        super(limits, new RequestHead());
        this.secure = secure;
    }

    @Override
    protected Refusal startLineTooLong() {
        return Refusal.TARGET_TOO_LONG;
    }

    /** Bytes without a line end, such as those of TLS, would else be waited with until they are late. */
    @Override
    protected void incomplete(byte[] bytes, int length) {
        if (length > 0 && bytes[0] != '\r' && !Chars.token(bytes[0])) {
            throw Fault.malformed("method");
        }
    }

    @Override
    protected void startLine(RequestHead head, byte[] bytes, int start, int end) {
        int i = start;
        while (i < end && bytes[i] != ' ') {
            if (!Chars.token(bytes[i])) {
                throw Fault.malformed("method");
            }
            i++;
        }
        if (i == start || i - start > LONGEST_METHOD) {
            throw Fault.malformed("method");
        }
        head.method(method(bytes, start, i));
        targetStart = i + 1;
        targetEnd = end - 9; // " HTTP/1.1"
        if (targetEnd <= targetStart || bytes[targetEnd] != ' ') {
            throw Fault.malformed("request line");
        }
        head.minorVersion(minorVersion(bytes, targetEnd + 1));
        head.scheme(secure ? "https" : "http");
    }

    /** The minor version of {@code HTTP/1.x} at that place. */
    public static int minorVersion(byte[] bytes, int at) {
        if (bytes[at] != 'H'
                || bytes[at + 1] != 'T'
                || bytes[at + 2] != 'T'
                || bytes[at + 3] != 'P'
                || bytes[at + 4] != '/') {
            throw Fault.malformed("version");
        }
        byte major = bytes[at + 5];
        byte minor = bytes[at + 7];
        if (bytes[at + 6] != '.' || major < '0' || major > '9' || minor < '0' || minor > '9') {
            throw Fault.malformed("version");
        }
        if (major != '1') {
            throw new Fault(Refusal.VERSION_UNSUPPORTED, "version");
        }
        return minor == '0' ? 0 : 1;
    }

    @Override
    protected void complete(RequestHead head) {
        // Not before the last line was read: a path in another spelling goes behind all that was copied.
        TargetReader.read(head, head.bytes(), targetStart, targetEnd);
        host(head);
        RequestFields.framingNames(head);
        head.keepAlive(Framing.keepAlive(head, head.minorVersion()));
        head.bodyLength(Framing.requestBody(head));
        head.upgrade(Framing.upgrade(head));
        head.takesTrailers(Framing.takesTrailers(head));
        if (head.minorVersion() > 0) {
            RequestFields.expectation(head);
        }
    }

    private void host(RequestHead head) {
        int index = head.next(FieldName.HOST, 0);
        if (index < 0) {
            if (head.minorVersion() > 0) {
                throw Fault.malformed("no Host");
            }
            return;
        }
        if (head.next(FieldName.HOST, index + 1) >= 0) {
            throw Fault.malformed("several Hosts");
        }
        String host = known.read(head, index);
        if (head.authority().isEmpty()) {
            head.authority(host);
        } else if (!Authority.same(head.authority(), host, head.scheme())) {
            throw Fault.malformed("Host and target differ");
        }
    }

    private static Method method(byte[] bytes, int start, int end) {
        int length = end - start;
        if (length == 3 && bytes[start] == 'G' && bytes[start + 1] == 'E' && bytes[start + 2] == 'T') {
            return Method.GET;
        }
        return Method.of(new String(bytes, start, length, ISO_8859_1));
    }
}
