package dev.postern.core.http2;

import dev.postern.core.http.Authority;
import dev.postern.core.http.FieldName;
import dev.postern.core.http.HttpParseException;
import dev.postern.core.http.Method;
import dev.postern.core.http.Refusal;
import dev.postern.core.http.RequestFieldRules;
import dev.postern.core.http.RequestHead;
import dev.postern.core.http.RequestTargetParser;
import dev.postern.core.http2.codec.HeaderBlock;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Maps a complete field section to a request head (RFC 9113 sections 8.1 to 8.5), as http1's {@code RequestHeadParser} maps a start line
 * and fields, with the same rules for authority, path and length. Stateless.
 */
final class RequestHeadMapper {

    private static final int LONGEST_METHOD = 24;
    private static final Set<Method> SAY_LENGTH = Set.of(Method.POST, Method.PUT, Method.PATCH);

    /** True on forward listeners, where every request but CONNECT counts as one in absolute-form. */
    private final boolean forward;

    private final boolean maybeSecure;

    /** @param maybeSecure whether the client may use TLS: the connection does, or a load balancer may end it */
    RequestHeadMapper(boolean forward, boolean maybeSecure) {
        this.forward = forward;
        this.maybeSecure = maybeSecure;
    }

    /**
     * Error in a request.
     *
     * @param malformed whether its stream must be reset (RFC 9113 section 8.1.1)
     */
    record Wrong(Refusal refusal, String why, boolean malformed) {}

    /** Completes the head of the field section. Returns the error, or null. */
    @Nullable
    Wrong complete(RequestHeaderBlock block, boolean endStream, boolean trusted) {
        String malformed = block.malformed();
        if (malformed != null) {
            return new Wrong(Refusal.REQUEST_MALFORMED, malformed, true);
        }
        if (block.tooLarge()) {
            return new Wrong(Refusal.HEAD_TOO_LARGE, "field section", false);
        }
        RequestHead head = block.head();
        head.majorVersion(2);
        String missing = pseudo(block, head);
        if (missing != null) {
            return new Wrong(Refusal.REQUEST_MALFORMED, missing, true);
        }
        try {
            RequestFieldRules.framingNames(head);
            host(block, head);
            body(head, endStream);
        } catch (HttpParseException fault) {
            boolean reset = fault.refusal() == Refusal.REQUEST_MALFORMED;
            return new Wrong(fault.refusal(), why(fault), reset);
        }
        cookies(head);
        head.takesTrailers(head.has(FieldName.TE)); // HeaderBlock rejects all values but "trailers"
        return target(block, head, trusted);
    }

    /** Checks trailers, which must not contain pseudo-headers (section 8.1). Returns the error, or null. */
    static @Nullable String trailers(HeaderBlock headerBlock) {
        if (headerBlock.tooLarge()) {
            return "trailers too long";
        }
        return headerBlock.hasPseudo() ? "pseudo-header in trailers" : headerBlock.malformed();
    }

    private static @Nullable String pseudo(RequestHeaderBlock block, RequestHead head) {
        String name = block.method();
        if (name == null || name.length() > LONGEST_METHOD) {
            return "method";
        }
        Method method = Method.of(name);
        head.method(method);
        if (block.protocol() != null) {
            return extended(block, head);
        }
        if (method.equals(Method.CONNECT)) {
            boolean others = block.scheme() != null || block.pathStart() >= 0;
            return others || block.authority() == null ? "CONNECT by its authority alone" : null;
        }
        return block.scheme() == null || block.pathStart() < 0 ? "no scheme or no path" : null;
    }

    /** Maps an extended CONNECT (RFC 8441 section 4) to GET with Upgrade, as HTTP/1.1 has it. Returns the error, or null. */
    private static @Nullable String extended(RequestHeaderBlock block, RequestHead head) {
        boolean whole = block.scheme() != null && block.pathStart() >= 0 && block.authority() != null;
        if (!whole || !head.method().equals(Method.CONNECT)) {
            return "protocol";
        }
        head.method(Method.GET).upgrade(String.valueOf(block.protocol()));
        return null;
    }

    private void host(RequestHeaderBlock block, RequestHead head) {
        int index = head.next(FieldName.HOST, 0);
        if (index >= 0 && head.next(FieldName.HOST, index + 1) >= 0) {
            throw HttpParseException.malformed("several Hosts");
        }
        String named = block.authority();
        if (named == null && index < 0) {
            throw HttpParseException.malformed("neither authority nor Host");
        }
        String host = index < 0 ? null : Authority.parse(head.valueAt(index), named != null);
        String authority = named == null ? host : Authority.parse(named, false);
        if (authority == null) {
            throw HttpParseException.malformed("no authority");
        }
        if (head.method().equals(Method.CONNECT) && Authority.port(authority) < 0) {
            throw HttpParseException.malformed("CONNECT without a port");
        }
        head.authority(authority);
        if (host == null) {
            head.add(FieldName.HOST, authority);
            return;
        }
        if (!host.equals(head.valueAt(index))) {
            head.set(FieldName.HOST, host);
        }
        RequestFieldRules.host(head, host, String.valueOf(block.scheme()), forward);
    }

    private static void body(RequestHead head, boolean endStream) {
        long length = RequestFieldRules.contentLength(head);
        if (!head.upgrade().isEmpty()) {
            if (length >= 0) {
                throw HttpParseException.malformed("Content-Length of a tunnel");
            }
            head.bodyLength(RequestHead.NO_BODY); // the bytes that follow belong to the tunnel
            return;
        }
        if (endStream) {
            if (length > 0) {
                throw HttpParseException.malformed("Content-Length without a body");
            }
            if (length < 0 && SAY_LENGTH.contains(head.method())) {
                head.add(FieldName.CONTENT_LENGTH, "0"); // in HTTP/2 END_STREAM says so (RFC 9110 section 8.6)
            }
            head.bodyLength(RequestHead.NO_BODY);
        } else {
            head.bodyLength(length < 0 ? RequestHead.CHUNKED : length);
        }
        RequestFieldRules.expectation(head);
    }

    /** Joins the Cookie fields into one (section 8.2.3), because HTTP/1.1 and the stages expect a single field. */
    private static void cookies(RequestHead head) {
        int index = head.next(FieldName.COOKIE, 0);
        if (index < 0 || head.next(FieldName.COOKIE, index + 1) < 0) {
            return;
        }
        StringBuilder joined = new StringBuilder(head.valueAt(index));
        for (int i = head.next(FieldName.COOKIE, index + 1); i >= 0; i = head.next(FieldName.COOKIE, i + 1)) {
            joined.append("; ").append(head.valueAt(i));
        }
        head.set(FieldName.COOKIE, joined);
    }

    private @Nullable Wrong target(RequestHeaderBlock block, RequestHead head, boolean trusted) {
        if (head.method().equals(Method.CONNECT)) {
            return null;
        }
        String scheme = String.valueOf(block.scheme());
        boolean known = scheme.equals("http") || scheme.equals("https");
        if (!known || (!forward && !trusted && !maybeSecure && scheme.equals("https"))) {
            // RFC 9110 section 7.4: an https resource only over a secured connection, or from a trusted gateway. The
            // field decides nothing else: the scheme that routes and upstreams see is that of the connection.
            return new Wrong(Refusal.MISDIRECTED, "scheme", false);
        }
        head.scheme(scheme);
        head.absolute(forward);
        int start = block.pathStart();
        int end = block.pathEnd();
        byte first = head.bytes()[start];
        if (first == '*' && end == start + 1 && head.method().equals(Method.OPTIONS)) {
            head.target(start, end, end);
            return null;
        }
        if (first != '/') {
            return new Wrong(Refusal.REQUEST_MALFORMED, "path", true);
        }
        try {
            RequestTargetParser.path(head, head.bytes(), start, end);
            return null;
        } catch (HttpParseException fault) {
            return new Wrong(fault.refusal(), why(fault), false);
        }
    }

    private static String why(HttpParseException exception) {
        return String.valueOf(exception.getMessage());
    }
}
