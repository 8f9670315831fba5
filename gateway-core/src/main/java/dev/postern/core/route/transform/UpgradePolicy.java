package dev.postern.core.route.transform;

import java.time.Duration;
import java.util.List;
import java.util.Locale;

/**
 * Policy for upgrades: the protocols that a connection may change to (RFC 9110 section 7.8), and limits of the resulting tunnel.
 *
 * @param protocols in lower case, such as {@code websocket}
 * @param idle time without bytes after which the tunnel is closed
 * @param life age at which the tunnel is closed; zero for no limit
 */
public record UpgradePolicy(List<String> protocols, Duration idle, Duration life) {

    public static final UpgradePolicy DEFAULT =
            new UpgradePolicy(List.of("websocket"), Duration.ofMinutes(5), Duration.ZERO);

    public UpgradePolicy {
        protocols = List.copyOf(protocols);
    }

    /** Returns whether a client may upgrade to the protocol; false for an empty name. */
    public boolean allow(String protocol) {
        return !protocol.isEmpty() && protocols.contains(protocol.toLowerCase(Locale.ROOT));
    }
}
