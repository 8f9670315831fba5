package dev.postern.auth.fuzz;

/** What a fuzzer takes for a finding. */
final class Must {

    private Must() {}

    static void hold(boolean condition, String what) {
        if (!condition) {
            throw new AssertionError("does not hold: " + what);
        }
    }
}
