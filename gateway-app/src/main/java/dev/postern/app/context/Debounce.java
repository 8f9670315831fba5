package dev.postern.app.context;

/** Debounces a bad state: its begin and its end count only after several observations in a row. Confined to the owner's thread. */
final class Debounce {

    private static final int NEEDED = 2;

    private int other;
    private boolean bad;

    /** Returns the debounced state after one more observation. */
    boolean after(boolean seenBad) {
        other = seenBad == bad ? 0 : other + 1;
        if (other >= NEEDED) {
            bad = seenBad;
            other = 0;
        }
        return bad;
    }
}
