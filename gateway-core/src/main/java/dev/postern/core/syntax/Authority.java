package dev.postern.core.syntax;

import io.netty.util.NetUtil;
import java.util.Locale;

/** Reads {@code host[:port]} (RFC 3986 section 3.2) without user information, and in one spelling. */
public final class Authority {

    private Authority() {}

    /** Lower-case {@code host[:port]}; throws {@link Fault}. {@code mayBeEmpty}: the Host field of a target that needs none. */
    public static String parse(String text, boolean mayBeEmpty) {
        if (text.isEmpty()) {
            if (mayBeEmpty) {
                return text;
            }
            throw Fault.malformed("empty authority");
        }
        int hostEnd = text.charAt(0) == '[' ? literalEnd(text) : nameEnd(text);
        if (hostEnd < text.length()) {
            port(text, hostEnd);
        }
        return lowerCase(text);
    }

    /** The port of an authority that was parsed, or -1. */
    public static int port(String authority) {
        int colon = authority.lastIndexOf(':');
        if (colon < 0 || authority.indexOf(']', colon) >= 0) {
            return -1;
        }
        return Integer.parseInt(authority, colon + 1, authority.length(), 10);
    }

    /** Whether two authorities are the same place for that scheme. */
    public static boolean same(String one, String other, String scheme) {
        if (one.equals(other)) {
            return true;
        }
        String suffix = scheme.equals("https") ? ":443" : ":80";
        return (one + suffix).equals(other) || one.equals(other + suffix);
    }

    private static int literalEnd(String text) {
        int close = text.indexOf(']');
        if (close < 0 || NetUtil.createByteArrayFromIpAddressString(text.substring(1, close)) == null) {
            throw Fault.malformed("IPv6 literal");
        }
        return close + 1;
    }

    private static int nameEnd(String text) {
        int i = 0;
        while (i < text.length() && text.charAt(i) != ':') {
            if (!Chars.host(text.charAt(i))) {
                throw Fault.malformed("host");
            }
            i++;
        }
        if (i == 0) {
            throw Fault.malformed("port without a host");
        }
        return i;
    }

    private static void port(String text, int colon) {
        int digits = text.length() - colon - 1;
        if (text.charAt(colon) != ':' || digits < 1 || digits > 5) {
            throw Fault.malformed("port");
        }
        int port = 0;
        for (int i = colon + 1; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c < '0' || c > '9') {
                throw Fault.malformed("port");
            }
            port = port * 10 + (c - '0');
        }
        if (port < 1 || port > 65535) {
            throw Fault.malformed("port");
        }
    }

    private static String lowerCase(String text) {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c >= 'A' && c <= 'Z') {
                return text.toLowerCase(Locale.ROOT);
            }
        }
        return text;
    }
}
