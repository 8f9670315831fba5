package dev.postern.core.headers;

import io.netty.util.NetUtil;
import java.net.InetAddress;
import java.net.UnknownHostException;
import org.jspecify.annotations.Nullable;

/**
 * Forwarded element of one proxy (RFC 7239 section 4). Immutable.
 *
 * @param address the client of the proxy; null when the proxy reports none, or an obfuscated name
 * @param host the requested host; empty when the proxy reports none
 * @param scheme the scheme of the request to the proxy; empty when the proxy reports none
 */
record ForwardedElement(@Nullable InetAddress address, String host, String scheme) {

    /** Returns a numeric IPv4 address, or IPv6 address without brackets; null for any other text. */
    static @Nullable InetAddress address(String text) {
        byte[] bytes = NetUtil.createByteArrayFromIpAddressString(text);
        if (bytes == null) {
            return null;
        }
        try {
            return InetAddress.getByAddress(bytes);
        } catch (UnknownHostException e) {
            return null;
        }
    }

    /** Returns the address in the format of X-Forwarded-For. */
    String text() {
        return address == null ? "unknown" : NetUtil.toAddressString(address);
    }

    /** Appends the element in the format of Forwarded. */
    void writeTo(StringBuilder out) {
        String text = text();
        out.append("for=").append(text.indexOf(':') < 0 ? text : "\"[" + text + "]\"");
        if (!host.isEmpty()) {
            boolean token = host.indexOf(':') < 0;
            out.append(";host=").append(token ? host : '"' + host + '"');
        }
        if (!scheme.isEmpty()) {
            out.append(";proto=").append(scheme);
        }
    }
}
