package dev.postern.core.upstream.pool;

import dev.postern.core.net.AddressPrefix;
import dev.postern.core.upstream.endpoint.UpstreamSettings;
import dev.postern.core.upstream.share.PreemptionRule;
import dev.postern.core.upstream.share.WaitingNetworks;
import java.util.concurrent.atomic.AtomicInteger;

/** Permits to open connections to one upstream, and places to wait for one, of all event loops together. Thread-safe and without locks. */
public final class Permits {

    /** Pools that are notified of what other event loops need. */
    public interface Listener {

        /** An exchange waits on some event loop: idle connections of other loops hold permits that no exchange uses there. */
        void permitWanted();

        /** A connection is closed while exchanges wait: any event loop may open one. */
        void permitReturned();

        /** More exchanges wait than may: networks with more than their share of the places give one up. */
        void placeWanted();

        /** All pools report their holders. */
        void report(PreemptionRounds.Round round);
    }

    private final int maxConnections;
    private final int maxPending;
    private final Listener listener;
    private final PreemptionRule rule;
    private final WaitingNetworks networks;
    private final AtomicInteger open = new AtomicInteger();
    private final AtomicInteger pending = new AtomicInteger();

    /**
     * @param rule says how many of the places to wait one network may have while others want one
     * @param networks counts those that wait
     */
    Permits(UpstreamSettings.Pool limits, PreemptionRule rule, WaitingNetworks networks, Listener listener) {
        this.maxConnections = limits.maxConnections();
        this.maxPending = limits.maxPending();
        this.rule = rule;
        this.networks = networks;
        this.listener = listener;
    }

    /** Takes a permit for one connection; false at the limit. */
    boolean tryAcquire() {
        for (int count = open.get(); count < maxConnections; count = open.get()) {
            if (open.compareAndSet(count, count + 1)) {
                return true;
            }
        }
        return false;
    }

    /** Returns the permit of a connection that is closed. */
    void release() {
        open.decrementAndGet();
        if (contended()) {
            listener.permitReturned();
        }
    }

    /**
     * Takes a place to wait for a connection; false at the limit. A network with less than its share of the places gets one beyond the limit,
     * and a network with more gives one up.
     */
    boolean tryQueue(AddressPrefix network) {
        int count = pending.incrementAndGet();
        boolean beyond = count > maxPending;
        if (beyond && !displaces(network, count)) {
            pending.decrementAndGet();
            return false;
        }
        networks.enter(network);
        listener.permitWanted();
        if (beyond) {
            listener.placeWanted();
        }
        return true;
    }

    private boolean displaces(AddressPrefix network, int count) {
        int share = rule.share(maxPending);
        return count <= 2L * maxPending && networks.count(network) < share && networks.anyAbove(share);
    }

    /** Returns whether more exchanges wait than may, and the network is one of those with more than their share of the places. */
    boolean mustYield(AddressPrefix network) {
        return pending.get() > maxPending && networks.count(network) > rule.share(maxPending);
    }

    void leaveQueue(AddressPrefix network) {
        pending.decrementAndGet();
        if (networks.leave(network) && contended()) {
            listener.permitReturned(); // networks that were held back may take free permits now
        }
    }

    /** Whether all permits are taken. */
    boolean exhausted() {
        return open.get() >= maxConnections;
    }

    /** Whether exchanges wait for a connection, on any event loop. */
    boolean contended() {
        return pending.get() > 0;
    }

    /** Connections that are open or being opened. */
    public int open() {
        return open.get();
    }

    /** Exchanges that wait for a connection. */
    public int pending() {
        return pending.get();
    }
}
