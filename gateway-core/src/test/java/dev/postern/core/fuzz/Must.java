package dev.postern.core.fuzz;

import org.jspecify.annotations.Nullable;

/** What a fuzzer takes for a finding. */
public final class Must {

    private Must() {}

    public static void hold(boolean condition, String subject) {
        if (!condition) {
            throw new AssertionError("does not hold: " + subject);
        }
    }

    /** Both say the same; the finding shows both. */
    public static void equal(@Nullable Object found, @Nullable Object expected, String subject) {
        if (found == null ? expected != null : !found.equals(expected)) {
            throw new AssertionError("does not hold: " + subject + ": " + found + " (expected: " + expected + ")");
        }
    }
}
