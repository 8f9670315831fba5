package dev.postern.core.redis;

import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Last value that could be read from files. While they cannot be used, the value before stays, and each fault is logged once. {@link #read}
 * is for one thread that may block, {@link #value} for any.
 */
final class LastRead<T> {

    private final Supplier<T> files;
    private final Consumer<String> log;
    private volatile T value;
    private String fault = "";

    /**
     * @param first value until the first {@link #read}
     * @param files reads the files, or throws {@link IllegalArgumentException} with a message without secrets
     * @param log takes this message
     */
    LastRead(T first, Supplier<T> files, Consumer<String> log) {
        this.value = first;
        this.files = files;
        this.log = log;
    }

    /** Reads the files. Blocks. */
    void read() {
        try {
            value = files.get();
            fault = "";
        } catch (IllegalArgumentException e) {
            String text = String.valueOf(e.getMessage());
            if (!text.equals(fault)) {
                fault = text;
                log.accept(text);
            }
        }
    }

    T value() {
        return value;
    }
}
