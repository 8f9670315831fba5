package dev.postern.core.upstream.endpoint;

import dev.postern.core.transport.Transport;
import io.netty.channel.unix.DomainSocketAddress;
import io.netty.util.NetUtil;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.UnknownHostException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Specification of an endpoint as configured: {@code host:port}, {@code dns:host:port} for all addresses of a name, or {@code unix:/path}
 * for a Unix socket; optionally followed by {@code weight=N}.
 *
 * @param address a name stays unresolved
 * @param weight relative share of the load, 1 to 1000
 * @param watched whether each address of the name is an endpoint, looked up periodically
 */
public record EndpointSpec(SocketAddress address, int weight, boolean watched) {

    private static final Pattern FORM = Pattern.compile(
            "(?:(dns:)?([A-Za-z0-9._-]+|\\[[0-9A-Fa-f:.]+]):(\\d{1,5})|unix:(/[!-~]{1,106}))(?: +weight=(\\d{1,4}))?");

    private static final Pattern NAME =
            Pattern.compile("(?=.{1,253}$)(?![0-9.]+$)[A-Za-z0-9_-]{1,63}(\\.[A-Za-z0-9_-]{1,63})*\\.?");

    static final int HEAVIEST = 1000;

    private static final String FORMS =
            "host:port, dns:host:port or unix:/path of up to 107 bytes, and perhaps weight=1.." + HEAVIEST;

    /** @throws IllegalArgumentException saying what was expected */
    public static EndpointSpec of(String text) {
        Matcher form = FORM.matcher(text);
        if (!form.matches()) {
            throw new IllegalArgumentException("endpoint: " + text + " (expected: " + FORMS + ")");
        }
        int port = form.group(4) == null ? Integer.parseInt(form.group(3)) : 1;
        int weight = form.group(5) == null ? 1 : Integer.parseInt(form.group(5));
        if (port < 1 || port > 65535 || weight < 1 || weight > HEAVIEST) {
            throw new IllegalArgumentException(
                    "endpoint: " + text + " (expected: port 1..65535, weight 1.." + HEAVIEST + ")");
        }
        if (form.group(4) != null) {
            return new EndpointSpec(new DomainSocketAddress(form.group(4)), weight, false);
        }
        boolean name = NetUtil.createByteArrayFromIpAddressString(form.group(2)) == null;
        if (name && !NAME.matcher(form.group(2)).matches()) {
            throw new IllegalArgumentException(
                    "endpoint: " + text + " (expected: a host name such as app.example, or an address)");
        }
        return new EndpointSpec(address(form.group(2), port), weight, form.group(1) != null && name);
    }

    /** Throws {@link IllegalStateException} for a Unix socket where the transport has only TCP. */
    public void requireReachable(Transport transport, String upstream) {
        if (address instanceof DomainSocketAddress && !transport.isNative()) {
            throw new IllegalStateException("upstreams: " + upstream + ": endpoints: unix:" + address
                    + " (expected: host:port, since the transport is " + transport.name()
                    + ", which has no Unix sockets)");
        }
    }

    private static InetSocketAddress address(String host, int port) {
        byte[] literal = NetUtil.createByteArrayFromIpAddressString(host);
        try {
            return literal == null
                    ? InetSocketAddress.createUnresolved(host, port)
                    : new InetSocketAddress(InetAddress.getByAddress(literal), port);
        } catch (UnknownHostException e) {
            throw new IllegalArgumentException("endpoint: " + host + " (expected: an address of 4 or 16 bytes)", e);
        }
    }
}
