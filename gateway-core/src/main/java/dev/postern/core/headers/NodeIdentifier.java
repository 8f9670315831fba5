package dev.postern.core.headers;

import io.netty.util.NetUtil;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Node identifier: the address of a client as proxies write it, with or without a port (RFC 7239 section 6). Besides the forms of the RFC it
 * may be an IPv6 address without brackets, which most proxies write in X-Forwarded-For, and have a zone or route domain behind a percent
 * sign, which is dropped. Stateless.
 */
final class NodeIdentifier {

    private static final Pattern PORT = Pattern.compile(":([0-9]{1,5}|_[A-Za-z0-9._-]+)");
    private static final Pattern ZONE = Pattern.compile("%[A-Za-z0-9._-]+");

    private NodeIdentifier() {}

    /** Returns the address; null for any other text, such as {@code unknown}, a name, or an address with an invalid port. */
    static @Nullable InetAddress address(String text) {
        if (text.startsWith("[")) {
            int end = text.indexOf(']');
            return end > 0 && hasPort(text, end + 1) ? literal(text.substring(1, end), true) : null;
        }
        int colon = text.indexOf(':');
        if (colon < 0 || text.indexOf(':', colon + 1) >= 0) {
            return literal(text, colon >= 0);
        }
        return hasPort(text, colon) ? literal(text.substring(0, colon), false) : null;
    }

    /** Returns whether the text ends at the offset, or continues with a port. */
    private static boolean hasPort(String text, int offset) {
        return offset == text.length()
                || PORT.matcher(text).region(offset, text.length()).matches();
    }

    private static @Nullable InetAddress literal(String text, boolean ipv6) {
        int zone = text.indexOf('%');
        if (zone >= 0 && !ZONE.matcher(text).region(zone, text.length()).matches()) {
            return null;
        }
        String plain = zone < 0 ? text : text.substring(0, zone);
        byte[] bytes = ipv6 == plain.indexOf(':') >= 0 ? NetUtil.createByteArrayFromIpAddressString(plain) : null;
        if (bytes == null) {
            return null;
        }
        try {
            return InetAddress.getByAddress(bytes);
        } catch (UnknownHostException e) {
            throw new IllegalStateException(e); // thrown for other lengths only
        }
    }
}
