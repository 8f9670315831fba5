package dev.postern.core.authorize;

import dev.postern.core.exchange.ListenerInfo;
import dev.postern.core.http.Authority;
import dev.postern.core.http.FieldName;
import dev.postern.core.http.HttpChars;
import dev.postern.core.http.HttpParseException;
import dev.postern.core.http.Method;
import dev.postern.core.http.RequestHead;
import dev.postern.core.http.RequestTargetParser;
import java.util.List;
import java.util.Locale;

/**
 * Description of a client's request by another proxy. {@link #apply} makes the head of a question the head of the described request, as a
 * reverse listener would have got it from a trusted proxy: method, target and authority, and the scheme in X-Forwarded-Proto.
 *
 * <p>The description is read by the parsers of requests themselves, so that it has one reading or none.
 */
final class Description {

    static final FieldName ORIGINAL_URL = FieldName.of("x-original-url");
    static final FieldName ORIGINAL_METHOD = FieldName.of("x-original-method");
    private static final FieldName FORWARDED_METHOD = FieldName.of("x-forwarded-method");
    private static final FieldName FORWARDED_URI = FieldName.of("x-forwarded-uri");

    /** Fields that say where the client's request leads; each dialect names some, and all others are ignored. */
    private static final List<FieldName> FIELDS = List.of(
            ORIGINAL_URL,
            ORIGINAL_METHOD,
            FORWARDED_METHOD,
            FORWARDED_URI,
            FieldName.X_FORWARDED_PROTO,
            FieldName.X_FORWARDED_HOST,
            FieldName.X_FORWARDED_PORT,
            FieldName.FORWARDED);

    private static final int LONGEST_METHOD = 24;

    private final RequestHead head;
    private final String pathPrefix;

    private Description(RequestHead head, String pathPrefix) {
        this.head = head;
        this.pathPrefix = pathPrefix;
    }

    /**
     * Replaces the request by the described one.
     *
     * @throws IncompleteException when the proxy describes it incompletely, twice or with contradictions
     * @throws HttpParseException when the described request is malformed, as a request of the client itself would be
     */
    static void apply(RequestHead head, ListenerInfo.Questions questions) {
        Description description = new Description(head, questions.pathPrefix());
        String scheme = switch (questions.dialect()) {
            case NGINX -> description.originalUrl();
            case FORWARDED -> description.forwarded();
            case ENVOY -> description.ownTarget();
        };
        head.set(FieldName.HOST, head.authority());
        ignoreOthers(head);
        if (!scheme.isEmpty()) {
            head.add(FieldName.X_FORWARDED_PROTO, scheme);
        }
    }

    /** Returns whether a request has any of the fields that describe another one in a dialect. */
    static boolean isIn(RequestHead head, ListenerInfo.Dialect dialect) {
        return switch (dialect) {
            case NGINX -> head.has(ORIGINAL_URL);
            case FORWARDED -> head.has(FORWARDED_URI);
            case ENVOY -> false;
        };
    }

    /** Removes all fields that describe a request, but X-Forwarded-For. */
    static void ignoreOthers(RequestHead head) {
        FIELDS.forEach(head::remove);
    }

    private String originalUrl() {
        head.describe(method(only(ORIGINAL_METHOD)));
        int url = only(ORIGINAL_URL);
        int start = head.valueStart(url);
        int end = start + head.valueLength(url);
        head.authority("");
        RequestTargetParser.absoluteForm(head, head.bytes(), start, end);
        head.absolute(false);
        // A Host that ends in "?" would make the path a query; nginx accepts it, and forwards the path.
        if (head.targetStart() < start || head.targetStart() >= end) {
            throw HttpParseException.malformed("no path");
        }
        return head.scheme();
    }

    private String forwarded() {
        head.describe(method(only(FORWARDED_METHOD)));
        String scheme = scheme(head.valueAt(only(FieldName.X_FORWARDED_PROTO)));
        String host = head.valueAt(only(FieldName.X_FORWARDED_HOST));
        int uri = only(FORWARDED_URI);
        head.authority(Authority.parse(host, false));
        head.scheme(scheme);
        target(head.valueStart(uri), head.valueStart(uri) + head.valueLength(uri));
        return scheme;
    }

    private String ownTarget() {
        if (head.authority().isEmpty()) {
            throw new IncompleteException("no Host");
        }
        int start = head.targetStart();
        if (!hasPrefix(head, pathPrefix)) {
            throw new IncompleteException("a path without path-prefix");
        }
        target(start + pathPrefix.length(), head.targetEnd());
        int proto = head.next(FieldName.X_FORWARDED_PROTO, 0);
        return proto < 0 ? "" : scheme(head.valueAt(only(FieldName.X_FORWARDED_PROTO)));
    }

    /** Returns whether the target, as sent, begins with a prefix. */
    static boolean hasPrefix(RequestHead head, String prefix) {
        int start = head.targetStart();
        if (head.targetEnd() - start < prefix.length()) {
            return false;
        }
        for (int i = 0; i < prefix.length(); i++) {
            if (head.bytes()[start + i] != prefix.charAt(i)) {
                return false;
            }
        }
        return true;
    }

    private void target(int start, int end) {
        if (start == end || head.bytes()[start] != '/') {
            throw HttpParseException.malformed("request target");
        }
        RequestTargetParser.path(head, head.bytes(), start, end);
    }

    /** Returns the index of a field that the proxy must send once. */
    private int only(FieldName name) {
        int index = head.next(name, 0);
        if (index < 0) {
            throw new IncompleteException("no " + name);
        }
        if (head.next(name, index + 1) >= 0) {
            throw new IncompleteException("several " + name);
        }
        return index;
    }

    private Method method(int index) {
        int start = head.valueStart(index);
        int end = start + head.valueLength(index);
        if (start == end || end - start > LONGEST_METHOD) {
            throw HttpParseException.malformed("method");
        }
        for (int i = start; i < end; i++) {
            if (!HttpChars.token(head.bytes()[i])) {
                throw HttpParseException.malformed("method");
            }
        }
        return Method.of(head.valueAt(index));
    }

    private static String scheme(String text) {
        return switch (text.toLowerCase(Locale.ROOT)) {
            case "http", "ws" -> "http";
            case "https", "wss" -> "https";
            default -> throw HttpParseException.malformed("scheme");
        };
    }

    /** Exception for a question whose description the proxy has to complete; without stack trace, since a wrong setting makes every request one. */
    static final class IncompleteException extends RuntimeException {

        private static final long serialVersionUID = 1;

        IncompleteException(String reason) {
            super(reason, null, false, false);
        }
    }
}
