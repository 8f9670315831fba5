package dev.postern.core.overload;

/**
 * Hysteresis of one resource: overload begins after a number of consecutive samples at or above one threshold, and ends after a quiet time
 * below a lower threshold. One thread at a time, but another one may change the threshold.
 */
final class Hysteresis {

    /** Consecutive samples below the lower threshold until the overload ends: two seconds. */
    static final int QUIET = 8;

    private volatile Threshold threshold;
    private final int proof;
    private int inARow;
    private boolean overloaded;

    /** @param proof number of consecutive samples until an overload begins */
    Hysteresis(Threshold threshold, int proof) {
        this.threshold = threshold;
        this.proof = proof;
    }

    /** Replaces the threshold, for later samples. */
    void threshold(Threshold other) {
        threshold = other;
    }

    /** Takes a sample; returns true when {@link #exceeded} changed. */
    boolean sample(double figure) {
        Threshold current = threshold;
        if (current.shedAt() == 0) {
            boolean ends = overloaded; // switched off meanwhile
            overloaded = false;
            inARow = 0;
            return ends;
        }
        boolean counts = overloaded ? figure < current.until() : figure >= current.shedAt();
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
        Threshold current = threshold;
        return overloaded ? current.until() : current.shedAt();
    }
}
