package dev.postern.core.transport.loop;

import java.util.function.Supplier;

/**
 * What is in force now, and may be exchanged. Read by any thread; exchanged by one at a time.
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

    /** Puts that in force and gives what was. */
    public T exchange(T next) {
        T before = now;
        now = next;
        return before;
    }
}
