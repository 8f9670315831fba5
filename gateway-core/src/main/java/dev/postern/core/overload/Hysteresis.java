package dev.postern.core.overload;

/**
 * Hysteresis of one resource: overload begins after a number of consecutive samples at or above one threshold, and ends after a quiet time
 * below a lower threshold. One thread at a time.
 */
final class Hysteresis {

    /** Consecutive samples below the lower threshold until the overload ends: two seconds. */
    static final int QUIET = 8;

    private final Threshold threshold;
    private final int proof;
    private int inARow;
    private boolean overloaded;

    /** @param proof number of consecutive samples until an overload begins */
    Hysteresis(Threshold threshold, int proof) {
        this.threshold = threshold;
        this.proof = proof;
    }

    /** Takes a sample; returns true when {@link #exceeded} changed. */
    boolean sample(double figure) {
        if (threshold.shedAt() == 0) {
            return false;
        }
        boolean counts = overloaded ? figure < threshold.until() : figure >= threshold.shedAt();
        inARow = counts ? inARow + 1 : 0;
        if (inARow < (overloaded ? QUIET : proof)) {
            return false;
        }
        inARow = 0;
        overloaded = !overloaded;
        return true;
    }

    boolean exceeded() {
        return overloaded;
    }

    /** Returns the threshold for the next change. */
    double bound() {
        return overloaded ? threshold.until() : threshold.shedAt();
    }
}
