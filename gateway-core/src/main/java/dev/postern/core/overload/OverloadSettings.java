package dev.postern.core.overload;

import java.time.Duration;

/**
 * Overload settings: the thresholds for load shedding.
 *
 * @param heap in shares of the maximum heap, 0..1
 * @param directMemory in shares of the maximum direct memory, 0..1
 * @param loopLag in seconds
 */
public record OverloadSettings(Threshold heap, Threshold directMemory, Threshold loopLag) {

    /** Interval between two samples. */
    static final Duration SAMPLE = Duration.ofMillis(250);

    public static final OverloadSettings DEFAULTS =
            new OverloadSettings(new Threshold(0.9, 0.8), new Threshold(0.9, 0.8), new Threshold(0.25, 0.1));

    /** Settings that never shed load. */
    public static final OverloadSettings NEVER =
            new OverloadSettings(Threshold.NEVER, Threshold.NEVER, Threshold.NEVER);

    Threshold of(OverloadResource resource) {
        return switch (resource) {
            case HEAP -> heap;
            case DIRECT_MEMORY -> directMemory;
            case LOOP_LAG -> loopLag;
        };
    }
}
