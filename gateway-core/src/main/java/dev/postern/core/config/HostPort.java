package dev.postern.core.config;

import io.netty.util.NetUtil;
import java.net.InetSocketAddress;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Host and port, as operators write it: {@code 127.0.0.1:8080}, {@code [::1]:8080}, {@code name:8080}, {@code *:8080} for all addresses.
 *
 * @param host a name or an address literal, without brackets
 */
public record HostPort(String host, int port) {

    public static final String EXPECTED = "host:port such as 127.0.0.1:8080 or [::1]:8080, port 0..65535";

    /** Pattern for editors, in the JSON schema. */
    public static final String PATTERN = "(\\*|[A-Za-z0-9._-]+|\\[[0-9A-Fa-f:.%]+\\]):(\\d{1,5})";

    private static final Pattern FORM = Pattern.compile(PATTERN);
    private static final Pattern DIGITS = Pattern.compile("[0-9.]+");
    private static final Pattern NAME =
            Pattern.compile("(?=.{1,253}$)[A-Za-z0-9_-]{1,63}(\\.[A-Za-z0-9_-]{1,63})*\\.?");

    public static HostPort of(String text) {
        Matcher matcher = FORM.matcher(text);
        if (!matcher.matches() || Integer.parseInt(matcher.group(2)) > 65535) {
            throw new IllegalArgumentException(EXPECTED);
        }
        String host = matcher.group(1);
        String bare = host.startsWith("[") ? host.substring(1, host.length() - 1) : host;
        if (!host.equals("*")
                && !(host.startsWith("[") || DIGITS.matcher(host).matches() ? literal(bare) : name(bare))) {
            throw new IllegalArgumentException(EXPECTED);
        }
        return new HostPort(bare, Integer.parseInt(matcher.group(2)));
    }

    private static boolean literal(String text) {
        return NetUtil.createByteArrayFromIpAddressString(text) != null;
    }

    private static boolean name(String text) {
        return NAME.matcher(text).matches();
    }

    /** Returns whether a client can connect to this address: neither a wildcard nor port 0. */
    public boolean connectable() {
        return port > 0 && !host.equals("*");
    }

    /** Returns the address to bind or to connect to; resolves names. */
    public InetSocketAddress resolve() {
        return host.equals("*") ? new InetSocketAddress(port) : new InetSocketAddress(host, port);
    }

    /** Returns whether only this machine can reach the address. */
    public boolean loopback() {
        byte[] bytes = NetUtil.createByteArrayFromIpAddressString(host);
        if (bytes == null) {
            return host.equalsIgnoreCase("localhost");
        }
        return bytes.length == 4 ? bytes[0] == 127 : host.equals("::1") || host.equals("0:0:0:0:0:0:0:1");
    }

    /** Returns whether this is the wildcard address of the machine. */
    public boolean wildcard() {
        return host.equals("*") || host.equals("0.0.0.0") || host.equals("::");
    }

    @Override
    public String toString() {
        return (host.indexOf(':') >= 0 ? "[" + host + "]" : host) + ":" + port;
    }
}
