package dev.postern.core.http;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Cookie that belongs to one host. A client that uses TLS gets it with the prefix {@code __Host-} and the attribute {@code Secure}, so that
 * neither other hosts nor requests without TLS can set it (RFC 6265bis section 4.1.3.2); another client gets it without both. A request is
 * read by the rule by which the cookie was written: with TLS, the name without the prefix counts for nothing.
 *
 * <p>Cookies of a request (RFC 6265 section 5.4) are pairs between semicolons, in any number of fields. Immutable.
 */
public final class HostCookie {

    private static final String PREFIX = "__Host-";

    private final String plainName;
    private final String secureName;
    /** Text in both names: a field without this text is not parsed. */
    private final FieldName part;

    /** @param name without the prefix */
    public HostCookie(String name) {
        this.plainName = name;
        this.secureName = PREFIX + name;
        this.part = FieldName.of(name);
    }

    /**
     * Returns the values of the cookie in the request, {@code max} at most; there are several when another site set a cookie of that name.
     *
     * @param secure whether the client uses TLS, to the gateway or to a trusted proxy before it
     */
    public List<String> values(RequestHead request, boolean secure, int max) {
        String name = name(secure);
        List<String> found = new ArrayList<>(1);
        for (int i = request.next(FieldName.COOKIE, 0); i >= 0; i = request.next(FieldName.COOKIE, i + 1)) {
            String text = request.valueAt(i);
            if (text.contains(name)) {
                for (String pair : text.split(";", -1)) {
                    if (found.size() < max && nameOf(pair).equals(name)) {
                        found.add(pair.substring(pair.indexOf('=') + 1).trim());
                    }
                }
            }
        }
        return found;
    }

    /**
     * Returns a Set-Cookie field for all paths of the host, hidden from scripts and from requests that other sites cause.
     *
     * @param secure whether the client uses TLS, to the gateway or to a trusted proxy before it
     * @param lifetime rounded down to seconds, or null for that of the browser's session
     */
    public String set(String value, boolean secure, @Nullable Duration lifetime) {
        return name(secure) + '=' + value + "; Path=/"
                + (lifetime == null ? "" : "; Max-Age=" + lifetime.toSeconds())
                + (secure ? "; Secure" : "")
                + "; HttpOnly; SameSite=Lax";
    }

    /** Removes the cookie from the request, with and without the prefix; the other cookies stay unchanged. */
    public void remove(RequestHead request) {
        int fields = request.fields();
        for (int i = request.next(FieldName.COOKIE, 0);
                i >= 0 && i < fields;
                i = request.next(FieldName.COOKIE, i + 1)) {
            if (!request.mentions(i, part)) {
                continue;
            }
            String text = request.valueAt(i);
            List<String> others = new ArrayList<>();
            boolean any = false;
            for (String pair : text.split(";", -1)) {
                String name = nameOf(pair);
                if (name.equals(plainName) || name.equals(secureName)) {
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

    private String name(boolean secure) {
        return secure ? secureName : plainName;
    }

    private static String nameOf(String pair) {
        int equals = pair.indexOf('=');
        return (equals < 0 ? pair : pair.substring(0, equals)).trim();
    }
}
