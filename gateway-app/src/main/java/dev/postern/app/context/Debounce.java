package dev.postern.app.context;

/** Believes in something bad after it was seen several times in a row, and in the end of it likewise. Confined to who holds it. */
final class Debounce {

    private static final int NEEDED = 2;

    private int other;
    private boolean bad;

    /** What to believe after one more look. */
    boolean after(boolean seenBad) {
        other = seenBad == bad ? 0 : other + 1;
        if (other >= NEEDED) {
            bad = seenBad;
            other = 0;
        }
        return bad;
    }
}
