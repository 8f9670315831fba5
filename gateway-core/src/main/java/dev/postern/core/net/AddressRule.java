package dev.postern.core.net;

import java.net.InetAddress;
import org.jspecify.annotations.Nullable;

/**
 * Address rule: the clients that may use a listener or a route, by their addresses. A client in {@code deny} is denied, whatever {@code allow}
 * says.
 *
 * @param allow the only addresses that may; null for all
 * @param deny addresses that may not
 */
public record AddressRule(@Nullable CidrSet allow, CidrSet deny) {

    /** Returns whether the client is denied. */
    public boolean denies(InetAddress client) {
        return deny.contains(client) || allow != null && !allow.contains(client);
    }
}
