package dev.postern.core.pipeline;

import dev.postern.core.connection.PerAddressCounter;
import dev.postern.core.exchange.Exchange;
import dev.postern.core.http.Method;
import dev.postern.core.route.ForwardPolicy;
import dev.postern.core.route.UdpTarget;
import java.net.InetAddress;
import org.jspecify.annotations.Nullable;

/**
 * Limits the tunnels that a client may have at once, TCP and UDP separately. A tunnel counts from its request until it is closed, so that requests for tunnels that
 * never open count too; a refused client was not asked for a token. Thread-safe.
 */
final class TunnelLimiter {

    private final PerAddressCounter tcp = new PerAddressCounter();
    private final PerAddressCounter udp = new PerAddressCounter();

    /** Returns whether the exchange may proceed; a request for a tunnel is counted then. */
    public boolean admits(Exchange exchange) {
        @Nullable ForwardPolicy policy = ForwardPolicy.of(exchange);
        if (policy == null) {
            return true;
        }
        if (UdpTarget.of(exchange) != null) {
            return admits(exchange, udp, policy.udp().perClient());
        }
        boolean tunnel = exchange.request().method().equals(Method.CONNECT);
        return !tunnel || admits(exchange, tcp, policy.tunnel().perClient());
    }

    private static boolean admits(Exchange exchange, PerAddressCounter open, int max) {
        if (max == 0) {
            return true;
        }
        InetAddress client = exchange.clientAddress();
        if (!open.enter(client, max)) {
            return false;
        }
        exchange.whenOver(() -> open.leave(client));
        return true;
    }
}
