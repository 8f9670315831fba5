package dev.postern.core.route;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import dev.postern.core.exchange.Exchange;
import dev.postern.core.exchange.ExchangeKey;
import dev.postern.core.http.Authority;
import dev.postern.core.http.HttpParseException;
import dev.postern.core.http.RequestHead;
import java.net.URLDecoder;
import org.jspecify.annotations.Nullable;

/**
 * Target of a UDP tunnel, from the path of its request (RFC 9298 section 3).
 *
 * @param host normalised name or address, an IPv6 literal in brackets
 * @param port 1 to 65535
 */
public record UdpTarget(String host, int port) {

    /** Upgrade token and {@code :protocol} (RFC 9298 section 8.1). */
    public static final String PROTOCOL = "connect-udp";

    /** Path before the target, by the default template (RFC 9298 section 2). */
    public static final String PREFIX = "/.well-known/masque/udp/";

    private static final ExchangeKey<UdpTarget> KEY = ExchangeKey.of("UDP target");

    /** Returns the target of an exchange that asks for a UDP tunnel; null for every other exchange. */
    public static @Nullable UdpTarget of(Exchange exchange) {
        return exchange.get(KEY);
    }

    void assignTo(Exchange exchange) {
        exchange.put(KEY, this);
    }

    /** Parses the target of a request whose path begins with {@link #PREFIX}. Throws {@link HttpParseException}. */
    static UdpTarget parse(RequestHead request) {
        String path = request.path();
        int hostEnd = path.indexOf('/', PREFIX.length());
        int portEnd = hostEnd < 0 ? -1 : path.indexOf('/', hostEnd + 1);
        if (portEnd < 0 || portEnd != path.length() - 1 || !request.query().isEmpty()) {
            throw HttpParseException.malformed("template");
        }
        String host = URLDecoder.decode(path.substring(PREFIX.length(), hostEnd), ISO_8859_1);
        boolean ipv6 = host.indexOf(':') >= 0;
        String authority =
                Authority.parse((ipv6 ? '[' + host + ']' : host) + ':' + path.substring(hostEnd + 1, portEnd), false);
        int port = Authority.port(authority);
        if (port < 0) {
            throw HttpParseException.malformed("port");
        }
        return new UdpTarget(authority.substring(0, authority.lastIndexOf(':')), port);
    }
}
