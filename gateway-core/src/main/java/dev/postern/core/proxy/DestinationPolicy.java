package dev.postern.core.proxy;

import dev.postern.core.route.ForwardPolicy;
import dev.postern.core.transport.CidrSet;
import java.net.InetAddress;

/**
 * Whether a forward proxy may connect somewhere: the port and the name before resolution, each address after it, so that no name leads
 * inside. Plain rule.
 */
final class DestinationPolicy {

    private DestinationPolicy() {}

    /** Whether that host and port may be asked for at all. */
    static boolean nameAllowed(ForwardPolicy policy, String host, int port) {
        return policy.allowsPort(port) && policy.allowsName(host);
    }

    /**
     * Whether that address, to which the name resolved, may be connected to.
     *
     * @param allowPrivate special addresses that may be all the same
     */
    static boolean addressAllowed(CidrSet allowPrivate, InetAddress address) {
        return !SpecialAddresses.contains(address) || allowPrivate.contains(address);
    }
}
