package dev.postern.core.headers;

import io.netty.util.NetUtil;
import java.net.InetAddress;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Forwarded element of one proxy (RFC 7239 section 4). Immutable.
 *
 * @param address the client of the proxy; null when the proxy reports none, or an obfuscated name
 * @param host the requested host; empty when the proxy reports none
 * @param scheme the scheme of the request to the proxy; empty when the proxy reports none
 */
record ForwardedElement(@Nullable InetAddress address, String host, String scheme) {

    /** Returns {@code http} or {@code https}; empty when the proxy reports neither. */
    String httpScheme() {
        return httpScheme(scheme);
    }

    /** Returns {@code http} or {@code https} for a scheme of HTTP or WebSocket in any case; empty for any other text. */
    static String httpScheme(String text) {
        return switch (text.toLowerCase(Locale.ROOT)) {
            case "http", "ws" -> "http";
            case "https", "wss" -> "https";
            default -> "";
        };
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
