package dev.postern.core.http;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Parser for the four forms of a request target (RFC 9112 section 3.2). */
public final class RequestTargetParser {

    private RequestTargetParser() {}

    /** Reads the target of a request line in any form. Throws {@link HttpParseException}. */
    public static void read(RequestHead head, byte[] bytes, int start, int end) {
        if (head.method().equals(Method.CONNECT)) {
            head.authority(authorityForm(new String(bytes, start, end - start, ISO_8859_1)));
            head.target(start, start, start);
        } else if (bytes[start] == '/') {
            path(head, bytes, start, end);
        } else if (bytes[start] == '*' && end == start + 1 && head.method().equals(Method.OPTIONS)) {
            head.target(start, end, end);
        } else {
            absoluteForm(head, bytes, start, end);
        }
    }

    private static String authorityForm(String text) {
        String authority = Authority.parse(text, false);
        if (Authority.port(authority) < 0) {
            throw HttpParseException.malformed("CONNECT without a port");
        }
        return authority;
    }

    /** Reads a target in absolute-form from the bytes of the head, for any method. Throws {@link HttpParseException}. */
    public static void absoluteForm(RequestHead head, byte[] bytes, int start, int end) {
        int colon = start;
        while (colon < end && bytes[colon] != ':') {
            colon++;
        }
        String scheme = new String(bytes, start, colon - start, ISO_8859_1).toLowerCase(Locale.ROOT);
        if ((!scheme.equals("http") && !scheme.equals("https"))
                || colon + 3 > end
                || bytes[colon + 1] != '/'
                || bytes[colon + 2] != '/') {
            throw HttpParseException.malformed("request target");
        }
        int authorityStart = colon + 3;
        int authorityEnd = authorityStart;
        while (authorityEnd < end && bytes[authorityEnd] != '/' && bytes[authorityEnd] != '?') {
            authorityEnd++;
        }
        head.absolute(true);
        head.scheme(scheme);
        head.authority(
                Authority.parse(new String(bytes, authorityStart, authorityEnd - authorityStart, ISO_8859_1), false));
        if (authorityEnd < end && bytes[authorityEnd] == '/') {
            path(head, bytes, authorityEnd, end);
        } else {
            String query = new String(bytes, authorityEnd, end - authorityEnd, ISO_8859_1);
            checkQuery(bytes, authorityEnd, end);
            // OPTIONS with an absolute target without path and query is for the server as a whole (RFC 9112 section
            // 3.2.4).
            boolean server = query.isEmpty() && head.method().equals(Method.OPTIONS);
            head.target(server ? "*" : "/", query);
        }
    }

    /**
     * Reads path and query from the bytes, from {@code /} on, and normalises the path (RFC 3986 section 6.2.2). Throws
     * {@link HttpParseException}.
     */
    public static void path(RequestHead head, byte[] bytes, int start, int end) {
        boolean plain = true;
        int query = start;
        byte previous = 0;
        for (; query < end && bytes[query] != '?'; query++) {
            byte b = bytes[query];
            if (!HttpChars.path(b)) {
                throw HttpParseException.malformed("request target");
            }
            if (b == '%' || b == ';' || (previous == '/' && (b == '/' || b == '.'))) {
                plain = false;
            }
            previous = b;
        }
        checkQuery(bytes, query, end);
        if (plain) {
            head.target(start, query, end);
            return;
        }
        @Nullable String path = PathRules.normalise(new String(bytes, start, query - start, ISO_8859_1));
        if (path == null) {
            throw HttpParseException.malformed("path");
        }
        head.target(path, new String(bytes, query, end - query, ISO_8859_1)).sent(start, query, end);
    }

    private static void checkQuery(byte[] bytes, int start, int end) {
        for (int i = start; i < end; i++) {
            if (!HttpChars.query(bytes[i])) {
                throw HttpParseException.malformed("request target");
            }
        }
    }
}
