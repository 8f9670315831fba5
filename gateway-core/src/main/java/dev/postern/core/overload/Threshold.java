package dev.postern.core.overload;

/**
 * Two figures, so that load is not shed and taken by turns.
 *
 * @param shedAt from here on it is too much; 0 for never
 * @param until it is too much until it is below this
 */
public record Threshold(double shedAt, double until) {

    static final Threshold NEVER = new Threshold(0, 0);
}
