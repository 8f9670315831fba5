package dev.postern.app.demo;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** Value that one step passes to a later one. */
final class StepValue<T> {

    private final String name;
    private @Nullable T value;

    StepValue(String name) {
        this.name = name;
    }

    void set(T found) {
        value = found;
    }

    T get() throws IOException {
        T found = value;
        if (found == null) {
            throw new IOException("no " + name + " (expected: set by an earlier step)");
        }
        return found;
    }
}
