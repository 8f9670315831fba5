package dev.postern.app.config;

import dev.postern.core.config.Checks;
import dev.postern.core.config.Key;
import dev.postern.core.route.ForwardPolicy;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Policy of forward listeners: permitted destinations, and limits of tunnels. */
public record ForwardConfig(
        @Key(or = "required", says = "`required`: one token for each tunnel or request.")
        Token token,

        @Key(or = "null", says = "Name of the rate limit.") @Nullable
        String rateLimit,

        @Key(or = "[443]", says = "Permitted ports and ranges, such as `1024-65535`; others get 403.")
        List<String> allowPorts,

        @Key(or = "[\"*\"]", says = "Permitted host names: exact, `*.suffix` or `*`; others get 403.")
        List<String> allowNames,

        @Key(
                or = "[]",
                says = "Permitted private, loopback, link-local or reserved address ranges; others are refused after"
                        + " resolution.")
        List<String> allowPrivate,

        @Key(or = "{}", says = "Limits of tunnels.") Tunnel tunnel) {

    public ForwardConfig {
        allowPorts = List.copyOf(allowPorts);
        allowNames = List.copyOf(allowNames);
        allowPrivate = List.copyOf(allowPrivate);
        Checks checks = Checks.of();
        for (int i = 0; i < allowPorts.size(); i++) {
            checks.that(
                    validPorts(allowPorts.get(i)),
                    "allow-ports." + i,
                    allowPorts.get(i),
                    "a port or a range such as 1024-65535");
        }
        for (int i = 0; i < allowNames.size(); i++) {
            String name = allowNames.get(i);
            checks.that(
                    name.matches("\\*|(\\*\\.)?[a-z0-9._:\\[\\]-]+"),
                    "allow-names." + i,
                    name,
                    "name in lower case, *.suffix or *");
        }
        Ranges.check(checks, "allow-private", allowPrivate);
        checks.done();
    }

    private static boolean validPorts(String text) {
        try {
            ForwardPolicy.PortRange.of(text);
            return true;
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    /** Token requirement of a forward listener. */
    public enum Token {
        REQUIRED,
        OFF
    }

    /** Limits of tunnels. */
    public record Tunnel(
            @Key(or = "5m", says = "Time without a byte; then the tunnel is closed.")
            Duration idle,

            @Key(formerly = "life", or = "0", says = "Maximum time of a tunnel; then it is closed. 0: no limit.")
            Duration maxLifetime,

            @Key(
                    or = "0",
                    says = "Maximum tunnels of one client address (IPv6: /64); further ones get 429. 0: no limit.")
            int perClient) {

        public Tunnel {
            Checks.of()
                    .between("idle", idle, "1s", "30d")
                    .between("max-lifetime", maxLifetime, "0", "365d")
                    .between("per-client", perClient, 0, 1_000_000)
                    .done();
        }
    }
}
