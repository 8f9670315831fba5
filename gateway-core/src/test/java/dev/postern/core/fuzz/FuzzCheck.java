package dev.postern.core.fuzz;

import org.jspecify.annotations.Nullable;

/** Throws what a fuzzer reports as a finding. */
public final class FuzzCheck {

    private FuzzCheck() {}

    public static void hold(boolean condition, String subject) {
        if (!condition) {
            throw new AssertionError("does not hold: " + subject);
        }
    }

    /** Compares two values; the finding shows both. */
    public static void equal(@Nullable Object found, @Nullable Object expected, String subject) {
        if (found == null ? expected != null : !found.equals(expected)) {
            throw new AssertionError("does not hold: " + subject + ": " + found + " (expected: " + expected + ")");
        }
    }
}
