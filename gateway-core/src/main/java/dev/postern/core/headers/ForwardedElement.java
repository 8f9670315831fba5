package dev.postern.core.headers;

import io.netty.util.NetUtil;
import java.net.InetAddress;
import java.net.UnknownHostException;
import org.jspecify.annotations.Nullable;

/**
 * What one proxy says in Forwarded (RFC 7239 section 4). Immutable.
 *
 * @param address of whom the proxy was asked by; null when it does not say, or gives an obfuscated name
 * @param host the one that was asked for; empty when the proxy does not say
 * @param scheme by which the proxy was asked; empty when it does not say
 */
record ForwardedElement(@Nullable InetAddress address, String host, String scheme) {

    /** Numeric IPv4 and IPv6 without brackets; null for anything else. */
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

    /** The address as X-Forwarded-For has it. */
    String text() {
        return address == null ? "unknown" : NetUtil.toAddressString(address);
    }

    /** Appends the element as Forwarded has it. */
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
