package dev.postern.core.route;

import dev.postern.core.config.ByteSize;
import dev.postern.core.config.Checks;
import dev.postern.core.config.Key;
import dev.postern.core.config.Spelling;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Settings of a forward policy, section {@code forward.NAME} of the configuration: permitted destinations, and limits of tunnels. */
public record ForwardSettings(
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

        @Key(defaultValue = "{}", needs = "allow-ports", description = "Limits of TCP tunnels.")
        Tunnel tunnel,

        @Key(
                defaultValue = "{}",
                needs = "udp.allow-ports",
                description = "UDP tunnels (CONNECT-UDP): their ports and limits.")
        Udp udp) {

    public ForwardSettings {
        allowPorts = List.copyOf(allowPorts);
        allowNames = allowNames.stream().map(Spelling::host).toList();
        allowPrivate = List.copyOf(allowPrivate);
        Checks checks = Checks.of();
        PortSet.check(checks, "allow-ports", allowPorts);
        checks.each("allow-names", allowNames, Spelling::isHost, Spelling::hostExpected)
                .ranges("allow-private", allowPrivate)
                .done();
    }

    /** Token requirement of a forward listener. */
    public enum Token {
        REQUIRED,
        OFF
    }

    /** Limits of tunnels, section {@code tunnel} of a forward policy in the configuration. */
    public record Tunnel(
            @Key(
                    defaultValue = "5m",
                    min = "1s",
                    max = "30d",
                    upTo = "max-lifetime",
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
                    upTo = "max-lifetime",
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
        for (String name : allowNames) {
            if (name.equals("*")
                    || name.equals(bare)
                    || name.startsWith("*.") && bare.length() >= name.length() && bare.endsWith(name.substring(1))) {
                return true;
            }
        }
        return false;
    }
}
