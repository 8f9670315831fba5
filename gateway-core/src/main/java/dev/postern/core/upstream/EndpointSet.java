package dev.postern.core.upstream;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The servers of an upstream at one time, in the order of the configuration. Immutable; a name that leads elsewhere makes another.
 *
 * @param ring where each of them stands, when they are chosen by a key
 */
record EndpointSet(List<Endpoint> all, @Nullable HashRing ring) {

    static EndpointSet of(List<Endpoint> endpoints, UpstreamSettings.Balance balance) {
        boolean ring = balance.kind() == UpstreamSettings.Balance.Kind.RING_HASH;
        return new EndpointSet(List.copyOf(endpoints), ring ? new HashRing(endpoints) : null);
    }

    int size() {
        return all.size();
    }

    /** Whether every one of them is known to be down. */
    boolean down(long now) {
        for (int i = 0; i < all.size(); i++) {
            if (!all.get(i).health().down(now)) {
                return false;
            }
        }
        return true;
    }
}
