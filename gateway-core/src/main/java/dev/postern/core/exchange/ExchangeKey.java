package dev.postern.core.exchange;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * Exchange key: a typed attribute of every exchange, in which one module keeps its state, invisible to other modules.
 *
 * @param <T> type of the value
 */
public final class ExchangeKey<T> {

    private static final AtomicInteger NEXT = new AtomicInteger();

    private final int index = NEXT.getAndIncrement();
    private final String name;

    private ExchangeKey(String name) {
        this.name = name;
    }

    /** Creates a key; keep the key in a constant, since its slot is never released. */
    public static <T> ExchangeKey<T> of(String name) {
        return new ExchangeKey<>(name);
    }

    int index() {
        return index;
    }

    @Override
    public String toString() {
        return name;
    }
}
