package dev.postern.app.config;

import dev.postern.core.config.Checks;
import dev.postern.core.config.Key;
import dev.postern.core.config.Spelling;
import dev.postern.core.route.ForwardPolicy;
import dev.postern.core.route.PortSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Policy of forward listeners: permitted destinations, and limits of tunnels. */
public record ForwardConfig(
        @Key(defaultValue = "required", description = "`required`: one token for each tunnel or request.")
        Token token,

        @Key(defaultValue = "null", description = "Name of the rate limit.") @Nullable
        String rateLimit,

        @Key(defaultValue = "[443]", description = "Permitted ports and ranges, such as `1024-65535`; others get 403.")
        List<String> allowPorts,

        @Key(defaultValue = "[\"*\"]", description = "Permitted host names: exact, `*.suffix` or `*`; others get 403.")
        List<String> allowNames,

        @Key(
                defaultValue = "[]",
                description =
                        "Permitted private, loopback, link-local or reserved address ranges; others are refused after"
                                + " resolution.")
        List<String> allowPrivate,

        @Key(defaultValue = "{}", description = "Limits of TCP tunnels.")
        ForwardPolicy.Tunnel tunnel,

        @Key(defaultValue = "{}", description = "UDP tunnels (CONNECT-UDP): their ports and limits.")
        ForwardPolicy.Udp udp) {

    public ForwardConfig {
        allowPorts = List.copyOf(allowPorts);
        allowNames = allowNames.stream().map(Spelling::host).toList();
        allowPrivate = List.copyOf(allowPrivate);
        Checks checks = Checks.of();
        PortSet.check(checks, "allow-ports", allowPorts);
        for (int i = 0; i < allowNames.size(); i++) {
            String name = allowNames.get(i);
            checks.that(Spelling.isHost(name), "allow-names." + i, name, Spelling.hostExpected(name));
        }
        Ranges.check(checks, "allow-private", allowPrivate);
        checks.done();
    }

    /** Token requirement of a forward listener. */
    public enum Token {
        REQUIRED,
        OFF
    }
}
