package dev.postern.core.upstream.share;

import dev.postern.core.net.AddressPrefix;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Client networks whose exchanges wait for a connection of one upstream, with the number of their waiters, and the networks that hold their
 * maximum share. Costs nothing while no exchange waits. Thread-safe.
 */
public final class WaitingNetworks {

    private final ConcurrentHashMap<AddressPrefix, Integer> waiting = new ConcurrentHashMap<>();
    private volatile Set<AddressPrefix> full = Set.of();

    /** Counts one more waiter. */
    public void enter(AddressPrefix network) {
        waiting.merge(network, 1, Integer::sum);
    }

    /** Counts one waiter less; true when networks that were held back may continue now. */
    public boolean leave(AddressPrefix network) {
        waiting.computeIfPresent(network, (n, count) -> count > 1 ? count - 1 : null);
        return !full.isEmpty() && !waiting.containsKey(network) && !othersThan(full);
    }

    /** Returns the number of the network's waiters. */
    public int count(AddressPrefix network) {
        return waiting.getOrDefault(network, 0);
    }

    /** Returns whether another network has more waiters than that. */
    public boolean anyAbove(int count) {
        return waiting.values().stream().anyMatch(one -> one > count);
    }

    /** Sets the networks that hold their maximum share. */
    public void full(Set<AddressPrefix> networks) {
        full = networks;
    }

    /** Returns whether any network holds its maximum share, as far as known. */
    public boolean anyFull() {
        return !full.isEmpty();
    }

    /** Returns whether the network must wait: it holds its maximum share while another one, which does not, waits. */
    public boolean holdsBack(AddressPrefix network) {
        Set<AddressPrefix> known = full;
        return known.contains(network) && othersThan(known);
    }

    private boolean othersThan(Set<AddressPrefix> networks) {
        for (AddressPrefix one : waiting.keySet()) {
            if (!networks.contains(one)) {
                return true;
            }
        }
        return false;
    }
}
