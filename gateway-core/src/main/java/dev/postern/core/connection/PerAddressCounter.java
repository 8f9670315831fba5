package dev.postern.core.connection;

import java.net.InetAddress;
import java.util.concurrent.ConcurrentHashMap;

/** Counts what clients have open, by address: all of IPv4, a /64 of IPv6. Holds nothing of who has nothing. Thread-safe. */
public final class PerAddressCounter {

    private final ConcurrentHashMap<AddressPrefix, Integer> open = new ConcurrentHashMap<>();

    /** One more from there; false, and not counted, when there are as many as may be. */
    boolean enter(AddressPrefix address, int most) {
        int current = open.merge(address, 1, Integer::sum);
        if (current > most) {
            leave(address);
            return false;
        }
        return true;
    }

    public boolean enter(InetAddress address, int most) {
        return enter(AddressPrefix.of(address), most);
    }

    public void leave(InetAddress address) {
        leave(AddressPrefix.of(address));
    }

    void leave(AddressPrefix address) {
        open.computeIfPresent(address, (a, count) -> count > 1 ? count - 1 : null);
    }

    /** Addresses that have something open. */
    int addresses() {
        return open.size();
    }
}
