package dev.postern.core.route;

import dev.postern.core.config.Checks;
import dev.postern.core.config.Key;
import dev.postern.core.exchange.Exchange;
import dev.postern.core.transport.CidrSet;
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
 * @param tunnel limits of tunnels
 */
public record ForwardPolicy(
        Route route, List<PortRange> ports, List<String> names, CidrSet allowPrivate, Tunnel tunnel) {

    /** Returns the policy of the exchange's listener; null for a reverse listener, and when a reload removed the policy. */
    public static @Nullable ForwardPolicy of(Exchange exchange) {
        return RoutingSnapshot.of(exchange)
                .forwards()
                .get(exchange.client().listener().forward());
    }

    /** Limits of tunnels, section {@code tunnel} of a forward policy in the configuration. */
    public record Tunnel(
            @Key(defaultValue = "5m", description = "Time without a byte; then the tunnel is closed.")
            Duration idle,

            @Key(
                    formerly = "life",
                    defaultValue = "0",
                    description = "Maximum time of a tunnel; then it is closed. 0: no limit.")
            Duration maxLifetime,

            @Key(
                    defaultValue = "0",
                    description =
                            "Maximum tunnels of one client address (IPv6: /64); further ones get 429. 0: no limit.")
            int perClient) {

        public static final Tunnel DEFAULTS = new Tunnel(Duration.ofMinutes(5), Duration.ZERO, 0);

        public Tunnel {
            Checks.of()
                    .between("idle", idle, "1s", "30d")
                    .between("max-lifetime", maxLifetime, "0", "365d")
                    .between("per-client", perClient, 0, 1_000_000)
                    .done();
        }
    }

    /** Range of ports from {@code first} to {@code last}, both included. */
    public record PortRange(int first, int last) {

        /** Parses {@code 443} or {@code 1024-65535}. */
        public static PortRange of(String text) {
            String[] ends = text.trim().split("-", 2);
            try {
                int first = Integer.parseInt(ends[0].trim());
                int last = ends.length == 1 ? first : Integer.parseInt(ends[1].trim());
                if (first >= 1 && first <= last && last <= 65535) {
                    return new PortRange(first, last);
                }
            } catch (NumberFormatException e) {
                // falls through to the message below
            }
            throw new IllegalArgumentException(text + " (expected: a port or a range such as 1024-65535)");
        }
    }

    public boolean allowsPort(int port) {
        for (PortRange range : ports) {
            if (port >= range.first() && port <= range.last()) {
                return true;
            }
        }
        return false;
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
