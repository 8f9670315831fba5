package dev.postern.ratelimit.rehearsal;

import java.util.List;

/**
 * What became of a crowd. Times are microseconds since the opening.
 *
 * @param waits of those who got in, shortest first
 * @param free how many of them passed on the base rate, without a pass
 * @param left how many closed the page
 * @param full how many found no place in the line
 * @param waiting how many still waited when the play was over
 * @param end when the last one got in, or the play was over
 * @param samples the line at even intervals
 */
public record Outcome(long[] waits, int free, int left, int full, int waiting, long end, List<Sample> samples) {

    /** The room at one instant: people in the line, and sessions with a pass. */
    public record Sample(long at, long waiting, long active) {}

    public Outcome {
        samples = List.copyOf(samples);
    }

    /** How long the wait was that so many percent of those who got in did not exceed; 0 when nobody did. */
    public long percentile(double percent) {
        if (waits.length == 0) {
            return 0;
        }
        int rank = (int) Math.ceil(percent / 100 * waits.length);
        return waits[Math.max(rank, 1) - 1];
    }
}
