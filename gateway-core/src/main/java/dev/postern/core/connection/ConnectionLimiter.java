package dev.postern.core.connection;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;

/**
 * Counts the connections of clients, and says when there are enough: of all together, and from one address. Thread-safe.
 *
 * <p>At the bound of all together the listeners stop accepting, and whoever comes waits in the kernel's backlog until somebody leaves: a
 * client that was let in and closed at once would only come again. One address past its own bound is closed at once, since waiting it would
 * keep the others out.
 */
final class ConnectionLimiter {

    private final AtomicInteger open = new AtomicInteger();
    private final PerAddressCounter byAddress = new PerAddressCounter();
    private final List<Listening> listeners = new CopyOnWriteArrayList<>();
    private final LongAdder pauses = new LongAdder();
    private final Runnable whenFull;
    private volatile int most;
    private volatile int mostPerAddress;
    private boolean paused;

    /** A listener, which accepts or does not; told by any thread. */
    interface Listening {

        void accepting(boolean enabled);
    }

    /** @param whenFull runs each time that accepting stops; must not block */
    ConnectionLimiter(AcceptLimits limits, Runnable whenFull) {
        this.most = limits.connections();
        this.mostPerAddress = limits.perAddress();
        this.whenFull = whenFull;
    }

    /** Other bounds from now on; who is in stays, and who was not counted by address so far is not counted later. */
    void limits(AcceptLimits limits) {
        most = limits.connections();
        mostPerAddress = limits.perAddress();
        adjust();
    }

    /** A listener that begins to accept, or has to wait until somebody leaves. */
    synchronized void add(Listening listener) {
        listeners.add(listener);
        listener.accepting(!paused);
    }

    /** A listener that rested accepts again, or waits as all others do. */
    synchronized void resume(Listening listener) {
        listener.accepting(!paused);
    }

    synchronized void remove(Listening listener) {
        listeners.remove(listener);
    }

    /** Whether connections are counted by address. */
    boolean countsAddresses() {
        return mostPerAddress > 0;
    }

    /** One more; false when it has to be closed, because several listeners accepted the last one at the same time. */
    boolean enter() {
        int current = open.incrementAndGet();
        if (current >= most) {
            adjust();
        }
        if (current > most) {
            leave();
            return false;
        }
        return true;
    }

    void leave() {
        // Who takes the count below the bound says so: every crossing is followed by a look, so the last look is right.
        if (open.decrementAndGet() == most - 1) {
            adjust();
        }
    }

    /** One more from there; false when it has to be closed. Who is counted leaves, whatever the bound is by then. */
    boolean enter(AddressPrefix address) {
        int bound = mostPerAddress;
        return byAddress.enter(address, bound > 0 ? bound : Integer.MAX_VALUE);
    }

    void leave(AddressPrefix address) {
        byAddress.leave(address);
    }

    /** Under a lock, since two who cross the bound in opposite ways must not be overtaken; it is held for a moment, and at the bound only. */
    private synchronized void adjust() {
        boolean full = open.get() >= most;
        if (full && !paused) {
            pauses.increment();
            whenFull.run();
        }
        if (full || paused) {
            paused = full;
            listeners.forEach(l -> l.accepting(!full));
        }
    }

    int open() {
        return open.get();
    }

    /** Addresses that are counted now. */
    int addresses() {
        return byAddress.addresses();
    }

    /** Connections that may be open at once. */
    int most() {
        return most;
    }

    /** How often accepting was stopped. */
    long pauses() {
        return pauses.sum();
    }
}
