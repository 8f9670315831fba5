package dev.postern.app.context;

/** Believes in something bad after it was seen several times in a row, and in the end of it likewise. Confined to who holds it. */
final class Streak {

    private static final int USUALLY = 2;

    private final int needed;
    private int other;
    private boolean bad;

    Streak() {
        this(USUALLY);
    }

    /** @param needed looks that see the same, one after the other */
    Streak(int needed) {
        this.needed = needed;
    }

    /** What to believe after one more look. */
    boolean after(boolean seenBad) {
        other = seenBad == bad ? 0 : other + 1;
        if (other >= needed) {
            bad = seenBad;
            other = 0;
        }
        return bad;
    }
}
