package dev.postern.core.pipeline;

import dev.postern.core.connection.PerAddressCounter;
import dev.postern.core.exchange.Exchange;
import dev.postern.core.http.Method;
import dev.postern.core.route.ForwardPolicy;
import dev.postern.core.route.RoutingSnapshot;
import java.net.InetAddress;
import org.jspecify.annotations.Nullable;

/**
 * How many tunnels a client may have at once. One counts from the moment that its request is known until nothing of it goes on: asking for
 * many that never open is no way around, and whoever is refused was not asked for a token. Thread-safe.
 */
public final class TunnelLimiter {

    private final PerAddressCounter open = new PerAddressCounter();

    /** Whether the exchange may go on; one that asks for a tunnel is counted then. */
    public boolean admits(Exchange exchange) {
        if (!exchange.request().method().equals(Method.CONNECT)) {
            return true;
        }
        @Nullable
        ForwardPolicy policy = RoutingSnapshot.of(exchange)
                .forwards()
                .get(exchange.client().listener().forward());
        int most = policy == null ? 0 : policy.tunnelsPerClient();
        if (most == 0) {
            return true;
        }
        InetAddress client = exchange.clientAddress();
        if (!open.enter(client, most)) {
            return false;
        }
        exchange.whenOver(() -> open.leave(client));
        return true;
    }
}
