package dev.postern.core.route;

import dev.postern.core.config.ByteSize;
import dev.postern.core.config.Checks;
import dev.postern.core.config.Key;
import dev.postern.core.exchange.Exchange;
import dev.postern.core.net.CidrSet;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Policy of a forward listener: allowed destinations, and the rules for its exchanges. Closed by default.
 *
 * @param route the rules that forward exchanges share with routes; its name is {@code forward:NAME}
 * @param ports allowed ports
 * @param names allowed host names: exact, {@code *.suffix} or {@code *}
 * @param allowPrivate private, loopback and link-local ranges that are allowed nevertheless
 * @param tunnel limits of TCP tunnels
 * @param udp limits of UDP tunnels
 */
public record ForwardPolicy(
        Route route, Ports ports, List<String> names, CidrSet allowPrivate, Tunnel tunnel, Udp udp) {

    /** Returns the policy of the exchange's listener; null for a reverse listener, and when a reload removed the policy. */
    public static @Nullable ForwardPolicy of(Exchange exchange) {
        return RoutingSnapshot.of(exchange)
                .forwards()
                .get(exchange.client().listener().forward());
    }

    /**
     * Allowed ports.
     *
     * @param tcp of TCP destinations
     * @param udp of UDP destinations
     */
    public record Ports(PortSet tcp, PortSet udp) {

        /** Parses both. */
        public static Ports of(List<String> tcp, List<String> udp) {
            return new Ports(PortSet.of(tcp), PortSet.ofUdp(udp));
        }
    }

    /** Limits of tunnels, section {@code tunnel} of a forward policy in the configuration. */
    public record Tunnel(
            @Key(
                    defaultValue = "5m",
                    min = "1s",
                    max = "30d",
                    description = "Time without a byte; then the tunnel is closed.")
            Duration idle,

            @Key(
                    formerly = "life",
                    defaultValue = "0",
                    min = "0",
                    max = "365d",
                    description = "Maximum time of a tunnel; then it is closed. 0: no limit.")
            Duration maxLifetime,

            @Key(
                    defaultValue = "0",
                    min = "0",
                    max = "1000000",
                    description =
                            "Maximum tunnels of one client address (IPv6: /64); further ones get 429. 0: no limit.")
            int perClient) {}

    /** UDP tunnels (RFC 9298), section {@code udp} of a forward policy in the configuration. */
    public record Udp(
            @Key(
                    defaultValue = "[443]",
                    description = "Permitted ports and ranges of UDP tunnels (CONNECT-UDP). `[]`: none."
                            + " Ports of amplifying services, such as 53 and 123, only by their own number.")
            List<String> allowPorts,

            @Key(
                    defaultValue = "2m",
                    min = "1s",
                    max = "30d",
                    description = "Time without a datagram; then the tunnel is closed.")
            Duration idle,

            @Key(
                    defaultValue = "0",
                    min = "0",
                    max = "365d",
                    description = "Maximum time of a tunnel; then it is closed. 0: no limit.")
            Duration maxLifetime,

            @Key(
                    defaultValue = "0",
                    min = "0",
                    max = "1000000",
                    description =
                            "Maximum UDP tunnels of one client address (IPv6: /64); further ones get 429. 0: no limit.")
            int perClient,

            @Key(
                    defaultValue = "64KiB",
                    min = "1KiB",
                    max = "16MiB",
                    description =
                            "Bytes that may wait in each direction, for 100 ms at most; then the oldest are dropped.")
            ByteSize queue) {

        public Udp {
            allowPorts = List.copyOf(allowPorts);
            Checks checks = Checks.of();
            PortSet.check(checks, "allow-ports", allowPorts);
            checks.done();
        }
    }

    /** Returns whether the host, a name or an address literal, is an allowed destination. */
    public boolean allowsName(String host) {
        String lower = host.toLowerCase(Locale.ROOT);
        String bare = lower.endsWith(".") ? lower.substring(0, lower.length() - 1) : lower;
        for (String name : names) {
            if (name.equals("*")
                    || name.equals(bare)
                    || name.startsWith("*.") && bare.length() >= name.length() && bare.endsWith(name.substring(1))) {
                return true;
            }
        }
        return false;
    }
}
