package dev.postern.core.proxy;

import dev.postern.core.route.Cidrs;
import dev.postern.core.route.ForwardPolicy;
import java.net.InetAddress;
import java.util.List;

/**
 * Whether a forward proxy may connect somewhere: the port and the name before resolution, each address after it, so that no name leads
 * inside. Plain rule.
 */
final class Destination {

    /** What is never the public internet: IANA special-purpose registries (RFC 6890) and cloud metadata services. */
    private static final Cidrs PRIVATE = Cidrs.of(List.of(
            "0.0.0.0/8",
            "10.0.0.0/8",
            "100.64.0.0/10",
            "127.0.0.0/8",
            "169.254.0.0/16",
            "172.16.0.0/12",
            "192.0.0.0/24",
            "192.0.2.0/24",
            "192.168.0.0/16",
            "198.18.0.0/15",
            "198.51.100.0/24",
            "203.0.113.0/24",
            "224.0.0.0/3",
            "::/128",
            "::1/128",
            "64:ff9b::/96",
            "64:ff9b:1::/48",
            "100::/64",
            "2001::/23",
            "2001:db8::/32",
            "2002::/16",
            "fc00::/7",
            "fe80::/10",
            "ff00::/8"));

    private Destination() {}

    /** Whether that host and port may be asked for at all. */
    static boolean nameAllowed(ForwardPolicy policy, String host, int port) {
        return policy.allowsPort(port) && policy.allowsName(host);
    }

    /** Whether that address, to which the name resolved, may be connected to. */
    static boolean addressAllowed(ForwardPolicy policy, InetAddress address) {
        return !PRIVATE.contains(address) || policy.allowPrivate().contains(address);
    }
}
