package dev.postern.core.http;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Group of cookies that belong to one host, and whose names are a common name, a dash and a suffix. Each of them is written and read by the
 * rules of {@link HostCookie}. Immutable.
 */
public final class HostCookieGroup {

    private final String plainName;
    private final String secureName;
    private final FieldName part;

    /** @param name common part of the names, without the prefix of TLS and without the dash */
    public HostCookieGroup(String name) {
        this.plainName = name;
        this.secureName = HostCookie.PREFIX + name;
        this.part = FieldName.of(name);
    }

    /** Cookie of the group as the client sent it. */
    public record Member(String suffix, String value) {}

    /**
     * Returns the cookies of the group in the request, {@code max} at most, in their order; one suffix may occur several times when another
     * host set a cookie of that name.
     *
     * @param secure whether the client uses TLS, to the gateway or to a trusted proxy before it
     */
    public List<Member> members(RequestHead request, boolean secure, int max) {
        String start = (secure ? secureName : plainName) + '-';
        List<Member> found = new ArrayList<>(2);
        CookiePairs.read(request, start, (name, value) -> {
            if (name.startsWith(start)) {
                found.add(new Member(name.substring(start.length()), value));
            }
            return found.size() < max;
        });
        return found;
    }

    /** Returns a Set-Cookie field like {@link HostCookie#set}, for the time of the browser's session. */
    public String set(String suffix, String value, boolean secure) {
        return CookiePairs.setting(name(suffix, secure), value, secure, null);
    }

    /** Returns a Set-Cookie field that makes the client forget the cookie. */
    public String expire(String suffix, boolean secure) {
        return CookiePairs.setting(name(suffix, secure), "", secure, Duration.ZERO);
    }

    /** Returns the number of bytes that a cookie of the group takes in the field Cookie, with the separator before the next one. */
    public int bytes(Member member, boolean secure) {
        return name(member.suffix(), secure).length() + 1 + member.value().length() + 2;
    }

    /** Removes all cookies of the group from the request, with any suffix or none, with and without the prefix. */
    public void remove(RequestHead request) {
        CookiePairs.remove(request, part, name -> belongs(name, plainName) || belongs(name, secureName));
    }

    private static boolean belongs(String name, String common) {
        return name.startsWith(common) && (name.length() == common.length() || name.charAt(common.length()) == '-');
    }

    private String name(String suffix, boolean secure) {
        return (secure ? secureName : plainName) + '-' + suffix;
    }
}
