package dev.postern.core.proxy;

import dev.postern.core.exchange.Exchange;
import dev.postern.core.http.RequestHead;
import dev.postern.core.route.ForwardPolicy;
import dev.postern.core.route.PortSet;
import dev.postern.core.route.UdpTarget;
import io.netty.util.NetUtil;
import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;

/**
 * Destination that an exchange of a forward listener names.
 *
 * @param host normalised name or address, an IPv6 literal in brackets
 * @param udp whether datagrams are sent there, not bytes
 */
record Destination(String host, int port, boolean udp) {

    static Destination of(Exchange exchange) {
        @Nullable UdpTarget target = UdpTarget.of(exchange);
        if (target != null) {
            return new Destination(target.host(), target.port(), true);
        }
        RequestHead request = exchange.request();
        String port = request.authority().substring(request.host().length());
        int standard = request.scheme().equals("https") ? 443 : 80;
        return new Destination(request.host(), port.isEmpty() ? standard : Integer.parseInt(port.substring(1)), false);
    }

    /** Returns the ports that the policy permits for this kind of destination. */
    PortSet ports(ForwardPolicy policy) {
        return udp ? policy.udpPorts() : policy.tcpPorts();
    }

    /** Returns whether the host is an address, which needs no look-up. */
    boolean literal() {
        return host.startsWith("[") || NetUtil.isValidIpV4Address(host);
    }

    InetSocketAddress unresolved() {
        String bare = host.startsWith("[") ? host.substring(1, host.length() - 1) : host;
        return InetSocketAddress.createUnresolved(bare, port);
    }
}
