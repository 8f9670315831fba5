package dev.postern.core.route;

import dev.postern.core.connection.ConnectionSettings;
import dev.postern.core.exchange.Exchange;
import dev.postern.core.net.CidrSet;
import dev.postern.core.route.transform.RouteTransform;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Policy of a forward listener: allowed destinations, and the rules for its exchanges. Closed by default.
 *
 * @param route the rules that forward exchanges share with routes; its name is {@code forward:NAME}
 * @param tcpPorts allowed ports of TCP destinations
 * @param udpPorts allowed ports of UDP destinations
 * @param allowPrivate private, loopback and link-local ranges that are allowed nevertheless
 * @param settings allowed host names, and limits of tunnels
 */
public record ForwardPolicy(
        Route route, PortSet tcpPorts, PortSet udpPorts, CidrSet allowPrivate, ForwardSettings settings) {

    public ForwardPolicy(Route route, ForwardSettings settings) {
        this(
                route,
                PortSet.of(settings.allowPorts()),
                PortSet.ofUdp(settings.udp().allowPorts()),
                CidrSet.of(settings.allowPrivate()),
                settings);
    }

    /** Returns the policy with that name in the configuration. */
    public static ForwardPolicy of(String name, ForwardSettings settings, ConnectionSettings limits) {
        Route route = new Route(
                "forward:" + name,
                "*",
                "/",
                "",
                settings.token() == ForwardSettings.Token.OFF ? Route.Token.OFF : Route.Token.REQUIRED,
                settings.rateLimit(),
                Preflight.REFUSE,
                Duration.ZERO,
                limits.requestBody().bytes(),
                ChallengeRule.DEFAULT,
                RouteTransform.PLAIN,
                MinBodyRate.of(limits.minBodyRate().bytesPerSecond()));
        return new ForwardPolicy(route, settings);
    }

    /** Returns the policy of the exchange's listener; null for a reverse listener, and when a reload removed the policy. */
    public static @Nullable ForwardPolicy of(Exchange exchange) {
        return RoutingSnapshot.of(exchange)
                .forwards()
                .get(exchange.client().listener().forward());
    }
}
