package dev.postern.app.config;

import dev.postern.app.config.type.Checks;
import dev.postern.app.config.type.ConfigDuration;
import dev.postern.app.config.type.Key;
import dev.postern.core.route.ForwardPolicy;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Where clients of forward listeners may go. Closed by default. */
public record ForwardConfig(
        @Key(or = "required", says = "`required`: one token for each tunnel or request; `off`.")
        Token token,

        @Key(or = "null", says = "Name of the rate limit.") @Nullable
        String rateLimit,

        @Key(or = "[443]", says = "Ports and ranges such as `1024-65535`.")
        List<String> allowPorts,

        @Key(or = "[\"*\"]", says = "Host names: exact, `*.suffix` or `*`.")
        List<String> allowNames,

        @Key(
                or = "[]",
                says =
                        "Address ranges that are allowed although they are private, loopback, link-local or reserved; all others of that"
                                + " kind are refused after resolution.")
        List<String> allowPrivate,

        @Key(or = "{}", says = "How long tunnels live.") Tunnel tunnel) {

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

    /** What a forward listener asks of a client. */
    public enum Token {
        REQUIRED,
        OFF
    }

    /** How long tunnels live. */
    public record Tunnel(
            @Key(or = "5m", says = "A tunnel without bytes for so long is closed.")
            ConfigDuration idle,

            @Key(formerly = "life", or = "0", says = "A tunnel ends after so long anyway; 0 for never.")
            ConfigDuration maxLifetime,

            @Key(
                    or = "0",
                    says =
                            "Tunnels of one client address (IPv6: one /64) at once, further ones are refused with 429; 0 for no limit.")
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
