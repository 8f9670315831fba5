package dev.postern.core.http2.codec;

import dev.postern.core.http.FieldName;
import dev.postern.core.http.Head;
import dev.postern.core.http.HttpChars;
import dev.postern.core.http.HttpParseException;
import dev.postern.core.http.RequestFieldRules;
import dev.postern.core.http.RequestHead;
import dev.postern.core.http.Trailers;
import io.netty.handler.codec.http2.DefaultHttp2Headers;
import io.netty.handler.codec.http2.Http2Headers;
import io.netty.handler.codec.http2.ReadOnlyHttp2Headers;
import io.netty.util.AsciiString;
import java.util.Arrays;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Writer of request heads as HTTP/2 fields (RFC 9113 section 8.3.1). Checks each head again: whatever the stages changed, a head that
 * servers could interpret in two ways is never sent. Copies what it needs. Stateless.
 */
public final class RequestHeadersWriter {

    private static final Map<String, AsciiString> METHODS = Stream.of("GET", "HEAD", "OPTIONS", "PUT", "DELETE", "POST")
            .collect(Collectors.toUnmodifiableMap(name -> name, AsciiString::cached));
    private static final AsciiString CONNECT = AsciiString.cached("CONNECT");

    /** Key that proves in HTTP/1.1 that the server supports WebSocket; in HTTP/2 :protocol replaces it (RFC 8441 section 5). */
    private static final AsciiString KEY = AsciiString.cached("sec-websocket-key");

    private RequestHeadersWriter() {}

    /** Returns the fields of a request, or null when the request must not be sent. */
    static @Nullable public Http2Headers request(RequestHead head, AsciiString scheme) {
        AsciiString @Nullable [] fields = regular(head);
        AsciiString authority = authority(head);
        AsciiString path = ascii(head, head.targetStart(), head.targetEnd() - head.targetStart());
        if (fields == null || authority == null || !target(path) || !framedOnce(head)) {
            return null;
        }
        String name = head.method().name();
        AsciiString method = METHODS.getOrDefault(name, new AsciiString(name));
        if (head.has(FieldName.UPGRADE)) {
            return extended(head, scheme, authority, path, fields);
        }
        return ReadOnlyHttp2Headers.clientHeaders(false, method, path, scheme, authority, fields);
    }

    /** Writes an upgrade as an extended CONNECT (RFC 8441 section 5). */
    private static Http2Headers extended(
            RequestHead head, AsciiString scheme, AsciiString authority, AsciiString path, AsciiString[] fields) {
        DefaultHttp2Headers all = new DefaultHttp2Headers(false);
        all.method(CONNECT).scheme(scheme).authority(authority).path(path);
        all.set(Http2Headers.PseudoHeaderName.PROTOCOL.value(), head.upgrade());
        for (int i = 0; i < fields.length; i += 2) {
            if (!KEY.equals(fields[i])) {
                all.add(fields[i], fields[i + 1]);
            }
        }
        return all;
    }

    /** Returns the fields of trailers, or null when they must not be sent. */
    static @Nullable public Http2Headers trailers(Trailers trailers) {
        AsciiString @Nullable [] fields = regular(trailers);
        return fields == null ? null : ReadOnlyHttp2Headers.trailers(false, fields);
    }

    private static AsciiString @Nullable [] regular(Head head) {
        AsciiString[] pairs = new AsciiString[head.fields() * 2];
        int n = 0;
        for (int i = 0; i < head.fields(); i++) {
            if (!head.present(i) || leftOut(head, i)) {
                continue;
            }
            AsciiString name = Http2FieldNames.lowerCase(head, i);
            AsciiString value = ascii(head, head.valueStart(i), head.valueLength(i));
            if (!token(name) || !plain(value)) {
                return null;
            }
            pairs[n++] = name;
            pairs[n++] = value;
        }
        return n == pairs.length ? pairs : Arrays.copyOf(pairs, n);
    }

    /** Returns whether the field is not allowed in HTTP/2, or is sent as a pseudo-header. */
    private static boolean leftOut(Head head, int index) {
        return head.named(index, FieldName.HOST) || Http2FieldNames.ofConnection(head, index);
    }

    private static @Nullable AsciiString authority(RequestHead head) {
        int index = head.next(FieldName.HOST, 0);
        if (index < 0 || head.next(FieldName.HOST, index + 1) >= 0) {
            return null;
        }
        AsciiString host = ascii(head, head.valueStart(index), head.valueLength(index));
        return target(host) ? host : null;
    }

    /** Returns whether Content-Length matches the body that will be sent. */
    private static boolean framedOnce(RequestHead head) {
        try {
            long declared = RequestFieldRules.contentLength(head);
            return declared < 0
                    ? head.bodyLength() <= 0
                    : declared == head.bodyLength() || (declared == 0 && !head.hasBody());
        } catch (HttpParseException fault) {
            return false;
        }
    }

    private static AsciiString ascii(Head head, int start, int length) {
        return new AsciiString(head.bytes(), start, length, true);
    }

    private static boolean token(AsciiString name) {
        for (int i = 0; i < name.length(); i++) {
            if (!HttpChars.token(name.byteAt(i))) {
                return false;
            }
        }
        return !name.isEmpty();
    }

    private static boolean plain(AsciiString value) {
        for (int i = 0; i < value.length(); i++) {
            if (!HttpChars.value(value.byteAt(i))) {
                return false;
            }
        }
        return value.isEmpty() || !blank(value.byteAt(0)) && !blank(value.byteAt(value.length() - 1));
    }

    /** Returns whether the text is not empty and has no blank or control character. */
    private static boolean target(AsciiString text) {
        for (int i = 0; i < text.length(); i++) {
            if (text.byteAt(i) <= ' ' || text.byteAt(i) == 0x7f) {
                return false;
            }
        }
        return !text.isEmpty();
    }

    private static boolean blank(byte b) {
        return b == ' ' || b == '\t';
    }
}
