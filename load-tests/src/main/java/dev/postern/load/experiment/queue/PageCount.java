package dev.postern.load.experiment.queue;

/**
 * Page count of one trial.
 *
 * @param whole pages of which the origin served all parts
 * @param half pages of which the origin served some parts
 * @param all pages that the browsers want
 */
record PageCount(Variant variant, int whole, int half, int all, double seconds) {
    /** Returns whether all pages are whole. */
    boolean complete() {
        return all > 0 && whole == all && half == 0;
    }

    @Override
    public String toString() {
        return "%d of %d, %d half".formatted(whole, all, half);
    }
}
