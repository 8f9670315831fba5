package dev.postern.core.overload;

/**
 * Tells from one sample after another whether something is too much: it begins after some samples in a row at or above one figure, and ends
 * after a quiet time below a lower one. One thread at a time.
 */
final class Hysteresis {

    /** Samples below the lower figure until it is over: two seconds. */
    static final int QUIET = 8;

    private final Threshold threshold;
    private final int proof;
    private int inARow;
    private boolean finished;

    /** @param proof so many samples in a row are needed for a beginning */
    Hysteresis(Threshold threshold, int proof) {
        this.threshold = threshold;
        this.proof = proof;
    }

    /** Another sample; true when it changed {@link #finished}. */
    boolean sample(double figure) {
        if (threshold.shedAt() == 0) {
            return false;
        }
        boolean counts = finished ? figure < threshold.until() : figure >= threshold.shedAt();
        inARow = counts ? inARow + 1 : 0;
        if (inARow < (finished ? QUIET : proof)) {
            return false;
        }
        inARow = 0;
        finished = !finished;
        return true;
    }

    boolean over() {
        return finished;
    }

    /** What the next change depends on. */
    double bound() {
        return finished ? threshold.until() : threshold.shedAt();
    }
}
