package dev.postern.app.demo;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** Hands something from one step to the next. */
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
            throw new IOException("no " + name + " (expected: from a step before)");
        }
        return found;
    }
}
