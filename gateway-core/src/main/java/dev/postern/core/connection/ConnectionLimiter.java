package dev.postern.core.connection;

import dev.postern.core.net.AddressPrefix;
import dev.postern.core.transport.LingeringConnections;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;

/**
 * Limits client connections in total and per address. Thread-safe.
 *
 * <p>At the total limit the listeners stop accepting, and new connections wait in the kernel's backlog until one closes: a client that was
 * accepted and closed at once would only connect again. A connection beyond the limit of its address is closed at once, since in the
 * backlog it would block connections of other clients. Lingering connections count, and close first when the total limit is reached.
 */
final class ConnectionLimiter {

    private final AtomicInteger open = new AtomicInteger();
    private final PerAddressCounter byAddress = new PerAddressCounter();
    private final List<Listening> listeners = new CopyOnWriteArrayList<>();
    private final LongAdder pauses = new LongAdder();
    private final LingeringConnections lingering = new LingeringConnections(this::excess);
    private final Runnable whenFull;
    private volatile int max;
    private volatile int mostPerAddress;
    private boolean paused;

    /** Listener that accepts or pauses; called from any thread. */
    interface Listening {

        void accepting(boolean enabled);
    }

    /** @param whenFull runs each time that accepting stops; must not block */
    ConnectionLimiter(ConnectionSettings limits, Runnable whenFull) {
        this.max = limits.connections();
        this.mostPerAddress = limits.connectionsPerAddress();
        this.whenFull = whenFull;
    }

    /** Replaces the limits. Open connections stay open, and those that were not counted by address are not counted later. */
    void limits(ConnectionSettings limits) {
        max = limits.connections();
        mostPerAddress = limits.connectionsPerAddress();
        adjust();
    }

    /** Adds a listener, which accepts at once, or after a connection closes when the total limit is reached. */
    synchronized void add(Listening listener) {
        listeners.add(listener);
        listener.accepting(!paused);
    }

    /** Resumes a listener that paused by itself; the listener stays paused while the total limit is reached. */
    synchronized void resume(Listening listener) {
        listener.accepting(!paused);
    }

    synchronized void remove(Listening listener) {
        listeners.remove(listener);
    }

    /** Returns whether connections are counted by address. */
    boolean countsAddresses() {
        return mostPerAddress > 0;
    }

    /** Counts a connection; false when the caller has to close it, because several listeners accepted at the same time at the limit. */
    boolean enter() {
        int current = open.incrementAndGet();
        if (current >= max) {
            adjust();
        }
        if (current > max) {
            leave();
            return false;
        }
        return true;
    }

    void leave() {
        // Each crossing of the limit is followed by adjust(), so the last adjust() sees the final count.
        if (open.decrementAndGet() == max - 1) {
            adjust();
        }
    }

    /**
     * Counts a connection of the address; false when the caller has to close it. Each counted connection must call leave, whatever the
     * limit is by then.
     */
    boolean enter(AddressPrefix address) {
        int bound = mostPerAddress;
        return byAddress.enter(address, bound > 0 ? bound : Integer.MAX_VALUE);
    }

    void leave(AddressPrefix address) {
        byAddress.leave(address);
    }

    /**
     * Pauses or resumes the listeners. Locked so that two threads crossing the limit in opposite directions apply their results in order;
     * the lock is short and taken at the limit only.
     */
    private synchronized void adjust() {
        boolean full = open.get() >= max;
        if (full && !paused) {
            pauses.increment();
            whenFull.run();
        }
        if (full || paused) {
            paused = full;
            listeners.forEach(l -> l.accepting(!full));
        }
        if (full) {
            lingering.relieve();
        }
    }

    /** Returns how many connections must close until the next can be accepted. */
    private int excess() {
        return Math.max(0, open.get() - max + 1);
    }

    LingeringConnections lingering() {
        return lingering;
    }

    int open() {
        return open.get();
    }

    /** Returns the number of addresses that have connections. */
    int addresses() {
        return byAddress.addresses();
    }

    /** Returns the limit of open connections. */
    int max() {
        return max;
    }

    /** Returns how often accepting was paused. */
    long pauses() {
        return pauses.sum();
    }
}
