package dev.postern.core.http1;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import dev.postern.core.http.Authority;
import dev.postern.core.http.FieldName;
import dev.postern.core.http.HeadLimits;
import dev.postern.core.http.HttpChars;
import dev.postern.core.http.HttpParseException;
import dev.postern.core.http.Method;
import dev.postern.core.http.Refusal;
import dev.postern.core.http.RequestFieldRules;
import dev.postern.core.http.RequestHead;
import dev.postern.core.http.RequestTargetParser;
import dev.postern.core.http1.codec.Framing;
import dev.postern.core.http1.codec.HeadParser;
import java.util.Arrays;

/** Parser of request heads (RFC 9112 section 3); refuses heads that two parsers could read differently. */
public final class RequestHeadParser extends HeadParser<RequestHead> {

    private static final int LONGEST_METHOD = 24;

    private final boolean forward;
    private final boolean secure;
    private final HostCache hostCache = new HostCache();
    private int targetStart;
    private int targetEnd;

    /**
     * @param forward whether the listener is a forward proxy, for which the authority of a target overrides Host
     * @param secure whether the connection uses TLS, which decides the scheme of targets in origin-form
     */
    RequestHeadParser(HeadLimits limits, boolean forward, boolean secure) {
        super(limits, new RequestHead());
        this.forward = forward;
        this.secure = secure;
    }

    @Override
    protected Refusal startLineTooLong() {
        return Refusal.TARGET_TOO_LONG;
    }

    /**
     * Refuses a byte that can't begin a request, such as the first of TLS; without a line end it would otherwise wait for the head timeout.
     */
    @Override
    protected void firstByte(byte first) {
        if (first != '\r' && first != '\n' && !HttpChars.token(first)) {
            throw HttpParseException.malformed("method");
        }
    }

    @Override
    protected void startLine(RequestHead head, byte[] bytes, int start, int end) {
        int i = start;
        while (i < end && bytes[i] != ' ') {
            if (!HttpChars.token(bytes[i])) {
                throw HttpParseException.malformed("method");
            }
            i++;
        }
        if (i == start || i - start > LONGEST_METHOD) {
            throw HttpParseException.malformed("method");
        }
        head.method(method(bytes, start, i));
        targetStart = i + 1;
        targetEnd = end - 9; // " HTTP/1.1"
        if (targetEnd <= targetStart || bytes[targetEnd] != ' ') {
            throw HttpParseException.malformed("request line");
        }
        head.minorVersion(minorVersion(bytes, targetEnd + 1));
        head.scheme(secure ? "https" : "http");
    }

    /** Returns the minor version of {@code HTTP/1.x} at the offset. */
    public static int minorVersion(byte[] bytes, int offset) {
        if (bytes[offset] != 'H'
                || bytes[offset + 1] != 'T'
                || bytes[offset + 2] != 'T'
                || bytes[offset + 3] != 'P'
                || bytes[offset + 4] != '/') {
            throw HttpParseException.malformed("version");
        }
        byte major = bytes[offset + 5];
        byte minor = bytes[offset + 7];
        if (bytes[offset + 6] != '.' || major < '0' || major > '9' || minor < '0' || minor > '9') {
            throw HttpParseException.malformed("version");
        }
        if (major != '1') {
            throw new HttpParseException(Refusal.VERSION_UNSUPPORTED, "version");
        }
        return minor == '0' ? 0 : 1;
    }

    @Override
    protected void complete(RequestHead head) {
        // Only after the last line: a rewritten path is appended behind all copied bytes.
        RequestTargetParser.read(head, head.bytes(), targetStart, targetEnd);
        host(head);
        RequestFieldRules.framingNames(head);
        head.keepAlive(Framing.keepAlive(head, head.minorVersion()));
        head.bodyLength(Framing.requestBody(head));
        head.upgrade(Framing.upgrade(head));
        head.takesTrailers(Framing.takesTrailers(head));
        if (head.minorVersion() > 0) {
            RequestFieldRules.expectation(head);
        }
    }

    private void host(RequestHead head) {
        int index = head.next(FieldName.HOST, 0);
        if (index < 0) {
            if (head.minorVersion() > 0) {
                throw HttpParseException.malformed("no Host");
            }
            return;
        }
        if (head.next(FieldName.HOST, index + 1) >= 0) {
            throw HttpParseException.malformed("several Hosts");
        }
        String host = hostCache.read(head, index);
        if (head.authority().isEmpty()) {
            head.authority(host);
        } else {
            RequestFieldRules.host(head, host, head.scheme(), forward);
        }
    }

    private static Method method(byte[] bytes, int start, int end) {
        int length = end - start;
        if (length == 3 && bytes[start] == 'G' && bytes[start + 1] == 'E' && bytes[start + 2] == 'T') {
            return Method.GET;
        }
        return Method.of(new String(bytes, start, length, ISO_8859_1));
    }

    /**
     * Cache of the last Host value of a connection: a client sends the same value again and again, so it is parsed once. One per connection.
     */
    private static final class HostCache {

        private static final int LONGEST = 256;

        private byte[] text = {};
        private String authority = "";
        private boolean spelledSo = true;

        /**
         * Returns the Host value at the index in canonical form, which replaces the value in the head; throws
         * {@link dev.postern.core.http.HttpParseException}.
         */
        String read(RequestHead head, int index) {
            int start = head.valueStart(index);
            int end = start + head.valueLength(index);
            if (Arrays.equals(text, 0, text.length, head.bytes(), start, end)) {
                return placed(head, authority, spelledSo);
            }
            String value = head.valueAt(index);
            String read = Authority.parse(value, true);
            boolean same = read.equals(value);
            if (end - start <= LONGEST) {
                text = Arrays.copyOfRange(head.bytes(), start, end);
                authority = read;
                spelledSo = same;
            }
            return placed(head, read, same);
        }

        private static String placed(RequestHead head, String read, boolean same) {
            if (!same) {
                head.set(FieldName.HOST, read);
            }
            return read;
        }
    }
}
