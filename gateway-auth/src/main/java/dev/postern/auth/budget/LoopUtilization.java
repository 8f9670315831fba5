package dev.postern.auth.budget;

/**
 * Utilization of an event loop: the time between two looks in which the thread used no CPU is idle. Half of the idle time may be used, in
 * short slices, and none when more than three quarters of the time are busy. Confined to its event loop.
 */
final class LoopUtilization {

    /** Nanoseconds of the longest slice: the delay that one slice can add to other exchanges. */
    static final long LONGEST_SLICE = 150_000;

    private long wall;
    private long cpu;

    /** Starts a period; both times are nanoseconds. */
    void begin(long wallNow, long cpuNow) {
        wall = wallNow;
        cpu = cpuNow;
    }

    /** Returns the nanoseconds that may be used now, computed from the period since the last look. */
    long slice(long wallNow, long cpuNow) {
        long passed = wallNow - wall;
        long idle = passed - (cpuNow - cpu);
        begin(wallNow, cpuNow);
        return idle * 4 < passed ? 0 : Math.min(idle / 2, LONGEST_SLICE);
    }
}
