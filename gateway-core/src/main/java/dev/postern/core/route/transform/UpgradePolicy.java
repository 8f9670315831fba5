package dev.postern.core.route.transform;

import dev.postern.core.config.Checks;
import dev.postern.core.config.Key;
import java.time.Duration;
import java.util.List;
import java.util.Locale;

/**
 * Policy for upgrades, section {@code upgrade} of a route in the configuration: the protocols that a connection may change to (RFC 9110
 * section 7.8), and limits of the resulting tunnel.
 */
public record UpgradePolicy(
        @Key(
                defaultValue = "[websocket]",
                description =
                        "Protocols that `Upgrade` may name, such as `tcp` of docker or `spdy/3.1` of kubectl; others"
                                + " are not forwarded.")
        List<String> protocols,

        @Key(
                defaultValue = "5m",
                min = "1ms",
                max = "7d",
                upTo = "max-lifetime",
                description = "Time without a byte; then the upgraded connection is closed.")
        Duration idle,

        @Key(
                formerly = "life",
                defaultValue = "0",
                min = "0",
                max = "365d",
                description = "Maximum time of an upgraded connection; then it is closed. 0: no limit.")
        Duration maxLifetime,

        @Key(
                defaultValue = "0",
                min = "0",
                max = "1000000",
                description =
                        "Maximum upgraded connections of one client address (IPv6: /64) on this route; further ones get"
                                + " 429. 0: no limit.")
        int perClient) {

    public static final UpgradePolicy DEFAULT =
            new UpgradePolicy(List.of("websocket"), Duration.ofMinutes(5), Duration.ZERO, 0);

    public UpgradePolicy {
        protocols = List.copyOf(protocols);
        Checks.of()
                .each(
                        "protocols",
                        protocols,
                        protocol -> protocol.matches("[a-z0-9][a-z0-9._/-]{0,31}") && !protocol.equals("h2c"),
                        "a protocol in small letters, such as websocket, and not h2c")
                .done();
    }

    /** Returns whether a client may upgrade to the protocol; false for an empty name. */
    public boolean allow(String protocol) {
        return !protocol.isEmpty() && protocols.contains(protocol.toLowerCase(Locale.ROOT));
    }
}
