package dev.postern.core.proxy;

import dev.postern.core.route.ForwardPolicy;
import dev.postern.core.transport.CidrSet;
import java.net.InetAddress;

/**
 * Policy for destinations of a forward proxy: checks the port and the name before resolution, and each address after it, so that no name
 * resolves to an internal address. A plain rule.
 */
final class DestinationPolicy {

    private DestinationPolicy() {}

    /** Returns whether the port and the name of the destination are allowed. */
    static boolean nameAllowed(ForwardPolicy policy, Destination destination) {
        return destination.ports(policy).contains(destination.port()) && policy.allowsName(destination.host());
    }

    /**
     * Returns whether the address, to which the name resolved, is allowed.
     *
     * @param allowPrivate special addresses that are allowed nevertheless
     */
    static boolean addressAllowed(CidrSet allowPrivate, InetAddress address) {
        return !SpecialAddresses.contains(address) || allowPrivate.contains(address);
    }
}
