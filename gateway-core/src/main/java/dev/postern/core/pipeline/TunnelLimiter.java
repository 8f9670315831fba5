package dev.postern.core.pipeline;

import dev.postern.core.connection.PerAddressCounter;
import dev.postern.core.exchange.Exchange;
import dev.postern.core.http.Method;
import dev.postern.core.net.AddressPrefix;
import dev.postern.core.route.ForwardPolicy;
import dev.postern.core.route.Route;
import dev.postern.core.route.UdpTarget;
import dev.postern.core.route.transform.UpgradePolicy;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Limits the tunnels that a client may have at once: TCP, UDP, and upgraded connections of each route, separately. A tunnel counts from its
 * request until it is closed, so that requests for tunnels that never open count too; a refused client was not asked for a token.
 * Thread-safe.
 */
final class TunnelLimiter {

    private final PerAddressCounter tcp = new PerAddressCounter();
    private final PerAddressCounter udp = new PerAddressCounter();

    /** Upgraded connections by the name of the route, whose limit it is. */
    private final Map<String, PerAddressCounter> upgraded = new ConcurrentHashMap<>();

    /** Returns whether the exchange may proceed; a request for a tunnel is counted then. */
    public boolean admits(Exchange exchange) {
        @Nullable ForwardPolicy policy = ForwardPolicy.of(exchange);
        if (policy == null) {
            return admitsUpgrade(exchange);
        }
        if (UdpTarget.of(exchange) != null) {
            return admits(exchange, udp, policy.settings().udp().perClient());
        }
        boolean tunnel = exchange.request().method().equals(Method.CONNECT);
        return !tunnel || admits(exchange, tcp, policy.settings().tunnel().perClient());
    }

    private boolean admitsUpgrade(Exchange exchange) {
        String protocol = exchange.request().upgrade();
        if (protocol.isEmpty()) {
            return true; // the usual case
        }
        Route route = Route.of(exchange);
        UpgradePolicy policy = route.transform().policy();
        return policy.perClient() == 0
                || !policy.allow(protocol)
                || admits(
                        exchange,
                        upgraded.computeIfAbsent(route.name(), name -> new PerAddressCounter()),
                        policy.perClient());
    }

    private static boolean admits(Exchange exchange, PerAddressCounter open, int max) {
        if (max == 0) {
            return true;
        }
        AddressPrefix client = exchange.clientPrefix();
        if (!open.enter(client, max)) {
            return false;
        }
        exchange.whenOver(() -> open.leave(client));
        return true;
    }
}
