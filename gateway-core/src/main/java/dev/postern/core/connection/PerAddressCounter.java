package dev.postern.core.connection;

import dev.postern.core.net.AddressPrefix;
import java.util.concurrent.ConcurrentHashMap;

/** Counts open resources by client address: all of IPv4, a /64 of IPv6. Entries at zero are removed. Thread-safe. */
public final class PerAddressCounter {

    private final ConcurrentHashMap<AddressPrefix, Integer> open = new ConcurrentHashMap<>();

    /** Counts one more of the address; false, and not counted, at the limit. */
    public boolean enter(AddressPrefix address, int max) {
        int current = open.merge(address, 1, Integer::sum);
        if (current > max) {
            leave(address);
            return false;
        }
        return true;
    }

    public void leave(AddressPrefix address) {
        open.computeIfPresent(address, (a, count) -> count > 1 ? count - 1 : null);
    }

    /** Returns the number of addresses with a count above zero. */
    int addresses() {
        return open.size();
    }
}
