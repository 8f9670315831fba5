package dev.postern.core.proxy;

import dev.postern.core.net.CidrSet;
import dev.postern.core.net.Nat64Prefixes;
import dev.postern.core.route.ForwardPolicy;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Policy for destinations of a forward proxy: checks the port and the name before resolution, and each address after it, so that no name
 * resolves to an internal address. An address in a NAT64 prefix is a spelling of an IPv4 address: both must be allowed. A plain rule.
 *
 * @param nat64 the prefixes of translators that the gateway's network may have
 * @param ours matches the gateway's own addresses, which are always forbidden
 */
public record DestinationPolicy(Nat64Prefixes nat64, Predicate<InetSocketAddress> ours) {

    /** The well-known prefix, which a translator uses for public addresses only: it needs no permission of its own. */
    private static final CidrSet WELL_KNOWN = CidrSet.of(List.of(SpecialAddresses.PUBLIC_NAT64));

    /** Returns whether the port and the name of the destination are allowed. */
    static boolean nameAllowed(ForwardPolicy policy, Destination destination) {
        return destination.ports(policy).contains(destination.port())
                && policy.settings().allowsName(destination.host());
    }

    /**
     * Returns whether the address, to which the name resolved, is allowed.
     *
     * @param allowPrivate special addresses that are allowed nevertheless
     */
    boolean addressAllowed(CidrSet allowPrivate, InetSocketAddress destination) {
        @Nullable InetAddress address = destination.getAddress();
        if (address == null || ours.test(destination)) {
            return false;
        }
        if (!nat64.contains(address)) {
            return listed(allowPrivate, address);
        }
        @Nullable InetAddress embedded = nat64.embedded(address);
        boolean spelledOnly = embedded != null && WELL_KNOWN.contains(address) && !SpecialAddresses.contains(embedded);
        return embedded != null
                && (spelledOnly || listed(allowPrivate, address))
                && listed(allowPrivate, embedded)
                && !ours.test(new InetSocketAddress(embedded, destination.getPort()));
    }

    private static boolean listed(CidrSet allowPrivate, InetAddress address) {
        return !SpecialAddresses.contains(address) || allowPrivate.contains(address);
    }
}
