package dev.postern.core.http;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiPredicate;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Cookie pairs of a request (RFC 6265 section 5.4): names and values between semicolons, in any number of fields. HTTP/2 clients send each
 * pair as a field of its own (RFC 9113 section 8.2.3).
 */
public final class CookiePairs {

    private CookiePairs() {}

    /**
     * Calls the consumer with the name and the value of each pair, until it returns false.
     *
     * @param part a field whose value does not contain this text is not parsed
     */
    public static void read(RequestHead request, String part, BiPredicate<String, String> consumer) {
        for (int i = request.next(FieldName.COOKIE, 0); i >= 0; i = request.next(FieldName.COOKIE, i + 1)) {
            String text = request.valueAt(i);
            if (text.contains(part)) {
                for (String pair : text.split(";", -1)) {
                    if (!consumer.test(
                            nameOf(pair), pair.substring(pair.indexOf('=') + 1).trim())) {
                        return;
                    }
                }
            }
        }
    }

    /**
     * Removes the pairs with a name that the predicate accepts; the other pairs stay unchanged.
     *
     * @param part text that all these names contain: a field without it is not parsed
     */
    static void remove(RequestHead request, FieldName part, Predicate<String> names) {
        int fields = request.fields();
        for (int i = request.next(FieldName.COOKIE, 0);
                i >= 0 && i < fields;
                i = request.next(FieldName.COOKIE, i + 1)) {
            if (!request.mentions(i, part)) {
                continue;
            }
            boolean any = false;
            List<String> others = new ArrayList<>();
            for (String pair : request.valueAt(i).split(";", -1)) {
                if (names.test(nameOf(pair))) {
                    any = true;
                } else if (!pair.isBlank()) {
                    others.add(pair.trim());
                }
            }
            if (any) {
                request.removeAt(i);
                if (!others.isEmpty()) {
                    request.add(FieldName.COOKIE, String.join("; ", others));
                }
            }
        }
    }

    /**
     * Returns a Set-Cookie field for all paths of the host, hidden from scripts and from requests that other sites cause.
     *
     * @param secure whether the client may send the cookie only over TLS
     * @param lifetime rounded down to seconds, or null for that of the browser's session
     */
    static String setting(String name, String value, boolean secure, @Nullable Duration lifetime) {
        return name + '=' + value + "; Path=/"
                + (lifetime == null ? "" : "; Max-Age=" + lifetime.toSeconds())
                + (secure ? "; Secure" : "")
                + "; HttpOnly; SameSite=Lax";
    }

    private static String nameOf(String pair) {
        int equals = pair.indexOf('=');
        return (equals < 0 ? pair : pair.substring(0, equals)).trim();
    }
}
