package dev.postern.core.rate;

/**
 * Generic cell rate algorithm (GCRA, ITU-T I.371): decides by one number, the theoretical arrival time, whether a rate is kept.
 *
 * <p>All times are microseconds of one clock of the caller's choice. Plain arithmetic without state: the caller stores the arrival time.
 *
 * @param intervalMicros microseconds between two admissions at exactly the rate
 * @param toleranceMicros how far a burst may run ahead of the rate: burst x interval
 */
public record Gcra(long intervalMicros, long toleranceMicros) {

    public Gcra {
        if (intervalMicros < 1 || toleranceMicros < 0) {
            throw new IllegalArgumentException("interval: " + intervalMicros + " us, tolerance: " + toleranceMicros
                    + " us (expected: at least 1 and 0)");
        }
    }

    /**
     * Creates the algorithm for a rate.
     *
     * @param permits number of admissions per {@code periodMicros}
     * @param burst number of admissions at once beyond the one that is due; 0 spaces admissions evenly
     */
    public static Gcra of(long permits, long periodMicros, long burst) {
        long interval = Math.max(1, periodMicros / permits);
        return new Gcra(interval, burst * interval);
    }

    /**
     * Returns the stored arrival time, cut to the latest one that this rate permits. A later one is from before the clock stepped back, or
     * from a slower rate: without the cut, its owner would wait for the length of the step.
     */
    public long capped(long arrival, long now) {
        return Math.min(arrival, now + toleranceMicros + intervalMicros);
    }

    /** Returns whether one more fits now, given the theoretical arrival time so far (0 if none). */
    public boolean allows(long arrival, long now) {
        return Math.max(arrival, now) - now <= toleranceMicros;
    }

    /** Returns the theoretical arrival time after one more admission. */
    public long next(long arrival, long now) {
        return Math.max(arrival, now) + intervalMicros;
    }

    /** Returns the microseconds until one more fits; 0 when one fits now. */
    public long wait(long arrival, long now) {
        return Math.max(0, Math.max(arrival, now) - now - toleranceMicros);
    }

    /** Returns how many fit now. */
    public long remaining(long arrival, long now) {
        long room = toleranceMicros - (Math.max(arrival, now) - now);
        return room < 0 ? 0 : room / intervalMicros + 1;
    }
}
