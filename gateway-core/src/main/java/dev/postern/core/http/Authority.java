package dev.postern.core.http;

import io.netty.util.NetUtil;
import java.net.Inet6Address;
import java.net.UnknownHostException;
import java.util.Locale;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Reads {@code host[:port]} (RFC 3986 section 3.2) without user information, and normalises the spelling: lower case, without the trailing
 * dot of the DNS root, an IPv4 address only as four decimal numbers, an IPv6 literal as in RFC 5952, a port without leading zeros, and no
 * colon before an empty port (RFC 3986 section 3.2.3).
 */
public final class Authority {

    private static final int IPV6_BYTES = 16;
    private static final Pattern NUMBER = Pattern.compile("[0-9]+|0x[0-9a-f]*");
    private static final String OCTET = "(25[0-5]|2[0-4][0-9]|1[0-9][0-9]|[1-9]?[0-9])";
    private static final Pattern DOTTED_DECIMAL = Pattern.compile(OCTET + "(\\." + OCTET + "){3}");

    private Authority() {}

    /**
     * Returns the normalised spelling; throws {@link HttpParseException}. {@code mayBeEmpty}: the Host field of a target that needs no
     * authority.
     */
    public static String parse(String text, boolean mayBeEmpty) {
        if (text.isEmpty()) {
            if (mayBeEmpty) {
                return text;
            }
            throw HttpParseException.malformed("empty authority");
        }
        boolean literal = text.charAt(0) == '[';
        int hostEnd = literal ? text.indexOf(']') + 1 : nameEnd(text);
        String host = literal ? literal(text, hostEnd) : name(text, hostEnd);
        boolean emptyPort = hostEnd + 1 == text.length() && text.charAt(hostEnd) == ':';
        if (hostEnd == text.length() || emptyPort) {
            return host;
        }
        int port = port(text, hostEnd);
        boolean same = host.length() == hostEnd && text.startsWith(host) && text.charAt(hostEnd + 1) != '0';
        return same ? text : host + ':' + port;
    }

    /** Returns the normalised host of an authority that may have user information; empty when there is none. */
    public static String host(String text) {
        try {
            String authority = parse(text.substring(text.lastIndexOf('@') + 1), true);
            return port(authority) < 0 ? authority : authority.substring(0, authority.lastIndexOf(':'));
        } catch (HttpParseException noAuthority) {
            return "";
        }
    }

    /** Returns the port of a parsed authority, or -1. */
    public static int port(String authority) {
        int colon = authority.lastIndexOf(':');
        if (colon < 0 || authority.indexOf(']', colon) >= 0) {
            return -1;
        }
        return Integer.parseInt(authority, colon + 1, authority.length(), 10);
    }

    /** Returns whether two authorities name the same host and port under that scheme. */
    public static boolean same(String one, String other, String scheme) {
        if (one.equals(other)) {
            return true;
        }
        String suffix = scheme.equals("https") ? ":443" : ":80";
        return (one + suffix).equals(other) || one.equals(other + suffix);
    }

    private static String literal(String text, int end) {
        byte @Nullable [] address = text.indexOf('%') >= 0 || end == 0
                ? null
                : NetUtil.createByteArrayFromIpAddressString(text.substring(1, end - 1));
        if (address == null || address.length != IPV6_BYTES) {
            throw HttpParseException.malformed("IPv6 literal");
        }
        try {
            return '[' + NetUtil.toAddressString(Inet6Address.getByAddress(null, address, -1), false) + ']';
        } catch (UnknownHostException e) {
            throw new IllegalStateException(e); // thrown for other lengths only
        }
    }

    private static int nameEnd(String text) {
        int i = 0;
        char previous = '.';
        while (i < text.length() && text.charAt(i) != ':') {
            char c = text.charAt(i);
            if (!HttpChars.host(c) || (c == '.' && previous == '.')) {
                throw HttpParseException.malformed("host");
            }
            previous = c;
            i++;
        }
        if (i == 0) {
            throw HttpParseException.malformed("port without a host");
        }
        return i;
    }

    /** Returns the host name without one trailing dot, which only marks the name as absolute (RFC 1034 section 3.1). */
    private static String name(String text, int end) {
        int bare = text.charAt(end - 1) == '.' ? end - 1 : end;
        String name = lowerCase(text.substring(0, bare));
        if (endsInNumber(name) && !DOTTED_DECIMAL.matcher(name).matches()) {
            throw HttpParseException.malformed("number as host"); // 0177.1 is 127.0.0.1 for some resolvers only
        }
        return name;
    }

    /** Returns whether the last label is a number, decimal or hexadecimal: no top-level domain is (WHATWG URL section 3.5). */
    private static boolean endsInNumber(String name) {
        int start = name.lastIndexOf('.') + 1;
        char first = start < name.length() ? name.charAt(start) : 'x';
        return first >= '0'
                && first <= '9'
                && NUMBER.matcher(name).region(start, name.length()).matches();
    }

    private static int port(String text, int colon) {
        int digits = text.length() - colon - 1;
        if (text.charAt(colon) != ':' || digits < 1 || digits > 5) {
            throw HttpParseException.malformed("port");
        }
        int port = 0;
        for (int i = colon + 1; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c < '0' || c > '9') {
                throw HttpParseException.malformed("port");
            }
            port = port * 10 + (c - '0');
        }
        if (port < 1 || port > 65535) {
            throw HttpParseException.malformed("port");
        }
        return port;
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
