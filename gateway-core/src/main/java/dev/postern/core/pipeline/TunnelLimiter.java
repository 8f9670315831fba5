package dev.postern.core.pipeline;

import dev.postern.core.connection.PerAddressCounter;
import dev.postern.core.exchange.Exchange;
import dev.postern.core.http.Method;
import dev.postern.core.route.ForwardPolicy;
import java.net.InetAddress;
import org.jspecify.annotations.Nullable;

/**
 * Limits the tunnels that a client may have at once. A tunnel counts from its request until it is closed, so that requests for tunnels that
 * never open count too; a refused client was not asked for a token. Thread-safe.
 */
final class TunnelLimiter {

    private final PerAddressCounter open = new PerAddressCounter();

    /** Returns whether the exchange may proceed; a request for a tunnel is counted then. */
    public boolean admits(Exchange exchange) {
        if (!exchange.request().method().equals(Method.CONNECT)) {
            return true;
        }
        @Nullable ForwardPolicy policy = ForwardPolicy.of(exchange);
        int max = policy == null ? 0 : policy.tunnel().perClient();
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
