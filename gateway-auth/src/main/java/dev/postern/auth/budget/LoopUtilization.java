package dev.postern.auth.budget;

/**
 * How much of an event loop's time nobody needs: what its thread did not compute between two looks. Half of that may be used, a short
 * slice at a time, and nothing where three quarters are in use. Confined to its loop.
 */
final class LoopUtilization {

    /** Nanoseconds: the longest that an honest client's exchange waits behind one slice. */
    static final long LONGEST_SLICE = 150_000;

    private long wall;
    private long cpu;

    /** Begins to look; nanoseconds both. */
    void begin(long wallNow, long cpuNow) {
        wall = wallNow;
        cpu = cpuNow;
    }

    /** Nanoseconds that may be used now, by what happened since the last look. */
    long slice(long wallNow, long cpuNow) {
        long passed = wallNow - wall;
        long spare = passed - (cpuNow - cpu);
        begin(wallNow, cpuNow);
        return spare * 4 < passed ? 0 : Math.min(spare / 2, LONGEST_SLICE);
    }
}
