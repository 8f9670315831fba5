package dev.postern.core.http;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Cookie that belongs to one host. A client that uses TLS gets it with the prefix {@code __Host-} and the attribute {@code Secure}, so that
 * neither other hosts nor requests without TLS can set it (RFC 6265bis section 4.1.3.2); another client gets it without both. A request is
 * read by the rule by which the cookie was written: with TLS, the name without the prefix counts for nothing. Immutable.
 */
public final class HostCookie {

    static final String PREFIX = "__Host-";

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
        CookiePairs.read(request, name, (pairName, value) -> {
            if (pairName.equals(name)) {
                found.add(value);
            }
            return found.size() < max;
        });
        return found;
    }

    /**
     * Returns a Set-Cookie field for all paths of the host, hidden from scripts and from requests that other sites cause.
     *
     * @param secure whether the client uses TLS, to the gateway or to a trusted proxy before it
     * @param lifetime rounded down to seconds, or null for that of the browser's session
     */
    public String set(String value, boolean secure, @Nullable Duration lifetime) {
        return CookiePairs.setting(name(secure), value, secure, lifetime);
    }

    /** Removes the cookie from the request, with and without the prefix; the other cookies stay unchanged. */
    public void remove(RequestHead request) {
        CookiePairs.remove(request, part, name -> name.equals(plainName) || name.equals(secureName));
    }

    private String name(boolean secure) {
        return secure ? secureName : plainName;
    }
}
