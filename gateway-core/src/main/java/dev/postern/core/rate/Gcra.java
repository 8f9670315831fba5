package dev.postern.core.rate;

/**
 * The generic cell rate algorithm (ITU-T I.371): one number, the theoretical arrival time, says whether a rate is kept.
 *
 * <p>All times are microseconds of one clock, whichever that is. Plain arithmetic, no state: the caller keeps the arrival time.
 *
 * @param intervalMicros microseconds between two admissions at the rate itself
 * @param toleranceMicros how far ahead of the rate a burst may run: burst x interval
 */
public record Gcra(long intervalMicros, long toleranceMicros) {

    public Gcra {
        if (intervalMicros < 1 || toleranceMicros < 0) {
            throw new IllegalArgumentException("interval: " + intervalMicros + " us, tolerance: " + toleranceMicros
                    + " us (expected: at least 1 and 0)");
        }
    }

    /**
     * @param permits how many per {@code periodMicros}
     * @param burst how many may come at once beyond the one that is due; 0 spaces them evenly
     */
    public static Gcra of(long permits, long periodMicros, long burst) {
        long interval = Math.max(1, periodMicros / permits);
        return new Gcra(interval, burst * interval);
    }

    /** Whether one more fits now, given the theoretical arrival time so far (0 for never seen). */
    public boolean allows(long arrival, long now) {
        return Math.max(arrival, now) - now <= toleranceMicros;
    }

    /** The theoretical arrival time after one more was let through. */
    public long next(long arrival, long now) {
        return Math.max(arrival, now) + intervalMicros;
    }

    /** Microseconds until one more fits; 0 when it fits now. */
    public long wait(long arrival, long now) {
        return Math.max(0, Math.max(arrival, now) - now - toleranceMicros);
    }

    /** How many fit right now. */
    public long remaining(long arrival, long now) {
        long room = toleranceMicros - (Math.max(arrival, now) - now);
        return room < 0 ? 0 : room / intervalMicros + 1;
    }
}
