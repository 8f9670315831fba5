package dev.postern.core.transport.loop;

import java.util.function.Supplier;

/**
 * Snapshot that can be exchanged atomically. Any thread may read; one thread at a time may exchange.
 *
 * @param <T> immutable
 */
public final class AtomicSnapshot<T> implements Supplier<T> {

    private volatile T now;

    public AtomicSnapshot(T first) {
        this.now = first;
    }

    @Override
    public T get() {
        return now;
    }

    /** Replaces the snapshot and returns the previous one. */
    public T exchange(T next) {
        T previous = now;
        now = next;
        return previous;
    }
}
