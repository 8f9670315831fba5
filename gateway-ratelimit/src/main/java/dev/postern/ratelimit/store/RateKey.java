package dev.postern.ratelimit.store;

import dev.postern.core.config.Kebab;
import dev.postern.core.http.FieldName;
import dev.postern.core.http.HostCookie;
import dev.postern.core.http.RequestHead;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Rate key: the property of an exchange by which a rate counts, or which identifies a tenant. As operators write it: {@code host},
 * {@code client-address}, {@code route}, {@code header:NAME} or {@code cookie:NAME}.
 *
 * @param name name of the header field or the cookie; empty for the other kinds
 */
public record RateKey(Kind kind, String name) {

    public static final RateKey HOST = new RateKey(Kind.HOST, "");
    public static final RateKey CLIENT_ADDRESS = new RateKey(Kind.CLIENT_ADDRESS, "");
    public static final RateKey ROUTE = new RateKey(Kind.ROUTE, "");

    public static final String EXPECTED = "host | client-address | route | header:NAME | cookie:NAME";

    private static final Pattern VALUE = Pattern.compile("header:([A-Za-z0-9-]{1,64})|cookie:([A-Za-z0-9_.-]{1,64})");

    public RateKey {
        boolean named = kind == Kind.HEADER || kind == Kind.COOKIE;
        if (named == name.isEmpty()) {
            throw new IllegalArgumentException(
                    "rate-limits.per: " + kind + " " + name + " (expected: a name with header and cookie, else none)");
        }
    }

    /** Kind of the property. */
    public enum Kind {
        HOST,
        CLIENT_ADDRESS,
        ROUTE,
        HEADER,
        COOKIE
    }

    /** Parses a key; the message of the {@link IllegalArgumentException} says what was expected. */
    public static RateKey of(String text) {
        return switch (text) {
            case "host" -> HOST;
            case "client-address" -> CLIENT_ADDRESS;
            case "route" -> ROUTE;
            default -> {
                Matcher matcher = VALUE.matcher(text);
                if (!matcher.matches()) {
                    throw new IllegalArgumentException(EXPECTED);
                }
                String header = matcher.group(1);
                yield header == null ? new RateKey(Kind.COOKIE, matcher.group(2)) : new RateKey(Kind.HEADER, header);
            }
        };
    }

    /** Returns whether the client chooses the value. */
    public boolean chosenByClient() {
        return kind == Kind.HEADER || kind == Kind.COOKIE;
    }

    /**
     * Returns the one value of the header field or the cookie; null when it is missing or empty. Also when it occurs twice: an upstream may
     * read either, and a client could be counted by one value and served by the other.
     */
    public @Nullable String value(RequestHead request) {
        @Nullable String one = kind == Kind.HEADER ? field(request) : cookie(request);
        return one == null || one.isEmpty() ? null : one;
    }

    private @Nullable String field(RequestHead request) {
        FieldName field = FieldName.of(name);
        int first = request.next(field, 0);
        return first < 0 || request.next(field, first + 1) >= 0 ? null : request.valueAt(first);
    }

    private @Nullable String cookie(RequestHead request) {
        List<String> values = new HostCookie(name).values(request, false, 2);
        return values.size() == 1 ? values.get(0) : null;
    }

    @Override
    public String toString() {
        return Kebab.ofConstant(kind) + (name.isEmpty() ? "" : ":" + name);
    }
}
