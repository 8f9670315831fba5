package dev.postern.load.worker;

import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;

/**
 * Repeated items: the same items in a cycle until some time has passed since the first one.
 *
 * @param <T> type of the items
 */
final class Repeated<T> implements Iterator<T> {
    private final List<T> things;
    private final double seconds;
    private long end;
    private int next;

    Repeated(List<T> things, double seconds) {
        this.things = things;
        this.seconds = seconds;
    }

    @Override
    public boolean hasNext() {
        long now = System.nanoTime();
        if (next == 0 && end == 0) {
            end = now + (long) (seconds * 1e9);
        }
        return now < end;
    }

    @Override
    public T next() {
        if (things.isEmpty()) {
            throw new NoSuchElementException("things: none (expected: at least one)");
        }
        T thing = things.get(next);
        next = (next + 1) % things.size();
        return thing;
    }
}
