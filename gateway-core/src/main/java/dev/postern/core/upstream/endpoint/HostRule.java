package dev.postern.core.upstream.endpoint;

import dev.postern.core.http.Authority;
import dev.postern.core.http.Field;
import dev.postern.core.http.FieldName;
import dev.postern.core.http.HttpParseException;
import io.netty.util.NetUtil;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import org.jspecify.annotations.Nullable;

/**
 * Rule for the Host of requests to an upstream.
 *
 * @param name the fixed host, perhaps with a port; empty for the other kinds
 */
public record HostRule(Kind kind, String name) {

    public static final HostRule PASS = new HostRule(Kind.PASS, "");

    private static final HostRule ENDPOINT = new HostRule(Kind.ENDPOINT, "");

    /** Origin of the host. */
    public enum Kind {
        /** The client's request. */
        PASS,
        /** The endpoint, as configured. */
        ENDPOINT,
        /** The rule itself. */
        NAME
    }

    /** Parses a rule; throws {@link IllegalArgumentException} with value and expectation. */
    public static HostRule of(String text) {
        return switch (text) {
            case "pass" -> PASS;
            case "endpoint" -> ENDPOINT;
            default -> named(text);
        };
    }

    private static HostRule named(String text) {
        try {
            return new HostRule(Kind.NAME, Authority.parse(text, false));
        } catch (HttpParseException e) {
            throw new IllegalArgumentException(
                    text + " (expected: pass, endpoint, or a host such as app.example or app.example:8080)", e);
        }
    }

    /**
     * Returns the field for requests to an endpoint; null for the client's own.
     *
     * @param endpoint as configured, before its name is resolved
     * @param tls whether connections to it use TLS, which decides which port Host leaves out
     */
    public @Nullable Field field(SocketAddress endpoint, boolean tls) {
        return switch (kind) {
            case PASS -> null;
            case ENDPOINT -> Field.of(FieldName.HOST, authority(endpoint, tls ? 443 : 80));
            case NAME -> Field.of(FieldName.HOST, name);
        };
    }

    /** Returns the host of a fixed name, without its port and brackets, for TLS; null for the other kinds. */
    public @Nullable String serverName() {
        if (kind != Kind.NAME) {
            return null;
        }
        String host = Authority.host(name);
        return host.startsWith("[") ? host.substring(1, host.length() - 1) : host;
    }

    private static String authority(SocketAddress any, int defaultPort) {
        if (!(any instanceof InetSocketAddress address)) {
            return "localhost"; // a Unix socket has no host name
        }
        String host = host(address);
        return address.getPort() == defaultPort ? host : host + ':' + address.getPort();
    }

    private static String host(InetSocketAddress address) {
        if (!address.isUnresolved()) {
            String literal = NetUtil.toAddressString(address.getAddress());
            return literal.indexOf(':') < 0 ? literal : '[' + literal + ']';
        }
        String name = address.getHostString();
        return name.endsWith(".") ? name.substring(0, name.length() - 1) : name;
    }
}
