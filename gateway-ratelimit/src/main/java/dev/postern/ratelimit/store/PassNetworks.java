package dev.postern.ratelimit.store;

import java.util.Arrays;

/**
 * Networks from which a pass is used on this node, beside the network in which its session began. With that one, a pass is usable from
 * {@value #MAX} networks in its life, so that one pass does not serve the clients of many networks. Thread-safe.
 */
public final class PassNetworks {

    /** Maximum number of networks, with the one in which the session began. */
    public static final int MAX = 4;

    /** Maximum number of other networks. */
    public static final int OTHERS = MAX - 1;

    private long[] others = {};

    PassNetworks() {}

    /** Returns whether the pass was used from the network before. */
    public synchronized boolean contains(long network) {
        return Arrays.stream(others).anyMatch(known -> known == network);
    }

    /** Returns whether no further network can be added. Other nodes may have seen networks that this node does not know. */
    public synchronized boolean full() {
        return others.length >= OTHERS;
    }

    /** Adds a network. Returns whether the pass may be used from it. */
    public synchronized boolean add(long network) {
        if (contains(network)) {
            return true;
        }
        if (full()) {
            return false;
        }
        others = Arrays.copyOf(others, others.length + 1);
        others[others.length - 1] = network;
        return true;
    }
}
