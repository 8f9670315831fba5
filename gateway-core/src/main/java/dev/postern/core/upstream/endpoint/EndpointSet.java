package dev.postern.core.upstream.endpoint;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Set of the endpoints of an upstream at one time, in the order of the configuration. Immutable; a name that resolves to other addresses
 * makes a new set.
 *
 * @param ring the endpoints on a hash ring, when they are chosen by a key
 */
public record EndpointSet(List<Endpoint> all, @Nullable HashRing ring) {

    public static EndpointSet of(List<Endpoint> endpoints, UpstreamSettings.Balance balance) {
        boolean ring = balance.kind() == UpstreamSettings.Balance.Kind.RING_HASH;
        return new EndpointSet(List.copyOf(endpoints), ring ? new HashRing(endpoints) : null);
    }

    public int size() {
        return all.size();
    }

    /** Returns whether every endpoint is known to be down. */
    public boolean down(long now) {
        for (int i = 0; i < all.size(); i++) {
            if (!all.get(i).health().down(now)) {
                return false;
            }
        }
        return true;
    }
}
