package dev.postern.load.measure;

import java.io.IOException;
import java.io.UncheckedIOException;

/** Unchecked calls of code that reads, writes or waits: an exception of these ends the run. */
public final class Unchecked {
    private Unchecked() {}

    /** Code with a result. */
    @FunctionalInterface
    public interface Code<T> {
        T run() throws IOException, InterruptedException;
    }

    /** Code without a result. */
    @FunctionalInterface
    public interface Action {
        void run() throws IOException, InterruptedException;
    }

    public static <T> T get(Code<T> code) {
        try {
            return code.run();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        }
    }

    public static void run(Action action) {
        get(() -> {
            action.run();
            return true;
        });
    }
}
