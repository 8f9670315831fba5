package dev.postern.core.overload;

/**
 * Threshold pair of a resource, so that load shedding does not switch on and off with every sample.
 *
 * @param shedAt overload begins at or above this value; 0 for never
 * @param until overload ends below this value
 */
record Threshold(double shedAt, double until) {

    static final Threshold NEVER = new Threshold(0, 0);
}
