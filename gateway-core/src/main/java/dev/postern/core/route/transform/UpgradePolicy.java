package dev.postern.core.route.transform;

import java.time.Duration;
import java.util.List;
import java.util.Locale;

/**
 * Which protocols a connection may change to (RFC 9110 section 7.8), and how long the tunnel that it then is may last.
 *
 * @param protocols in lower case, such as {@code websocket}
 * @param idle without a byte for so long, the tunnel is closed
 * @param life so old, it is closed anyway; zero for never
 */
public record UpgradePolicy(List<String> protocols, Duration idle, Duration life) {

    public static final UpgradePolicy DEFAULT =
            new UpgradePolicy(List.of("websocket"), Duration.ofMinutes(5), Duration.ZERO);

    public UpgradePolicy {
        protocols = List.copyOf(protocols);
    }

    /** Whether a client that asks for that protocol may have it; empty asks for nothing. */
    public boolean allow(String protocol) {
        return !protocol.isEmpty() && protocols.contains(protocol.toLowerCase(Locale.ROOT));
    }
}
