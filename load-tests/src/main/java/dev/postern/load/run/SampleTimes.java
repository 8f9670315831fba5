package dev.postern.load.run;

/**
 * Times of samples, in whole seconds from the start of the sampler: every second until one time, then at an interval.
 *
 * @param dense seconds from the start with a sample each
 * @param interval seconds between two samples after that, at least 1
 */
public record SampleTimes(int dense, int interval) {
    public static final SampleTimes EVERY_SECOND = new SampleTimes(0, 1);

    boolean contains(long second) {
        return second < dense || second % interval == 0;
    }
}
