package dev.postern.core.exchange;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * A typed place on every exchange where one module keeps what it knows of it, unseen by the others.
 *
 * @param <T> what the slot holds
 */
public final class ExchangeKey<T> {

    private static final AtomicInteger NEXT = new AtomicInteger();

    private final int index = NEXT.getAndIncrement();
    private final String name;

    private ExchangeKey(String name) {
        this.name = name;
    }

    /** A new slot; keep it in a constant, since slots are never given back. */
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
