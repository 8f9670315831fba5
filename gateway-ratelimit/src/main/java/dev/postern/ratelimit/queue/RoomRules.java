package dev.postern.ratelimit.queue;

import dev.postern.core.rate.Gcra;

/**
 * What rules a room; all times in microseconds.
 *
 * @param active how many sessions may use the site at once: a hard bound
 * @param pass how long a pass lasts at most
 * @param idle how long a pass outlives its session's last request
 * @param absence how long a waiting one may be silent before it has left
 * @param most how many may wait
 * @param base the rate that passes while nobody waits
 * @param opens when the room opens: until then everybody waits, and gets a place by lot; 0 for open already
 */
public record RoomRules(int active, long pass, long idle, long absence, int most, Gcra base, long opens) {

    /** How long a page that was let through on the base rate may fetch what belongs to it. */
    public static final long LEASE = 5_000_000;

    /** How many requests belong to such a page at most. */
    public static final int LEASE_REQUESTS = 64;

    /** How long a credential that opened a ticket can't open another one: longer than any credential is acceptable. */
    public static final long CREDENTIAL_MEMORY = 7_200_000_000L;

    /** Rows of one kind that one step clears away at most; the next step goes on. */
    public static final int PURGE = 64;

    /** Estimates end here: nobody plans further. */
    public static final long LONGEST_ESTIMATE = 86_400_000_000L;

    private static final long POLL = 1_000_000;
    private static final long POLL_STEP = 20_000;

    public RoomRules {
        if (active < 1 || pass < 1 || idle < 1 || absence < 1 || most < 0) {
            throw new IllegalArgumentException("room: active " + active + ", pass " + pass + ", idle " + idle
                    + ", absence " + absence + ", most " + most + " (expected: at least 1, waiting at least 0)");
        }
    }

    /** A room that is open already. */
    public RoomRules(int active, long pass, long idle, long absence, int most, Gcra base) {
        this(active, pass, idle, absence, most, base, 0);
    }

    /** When those who wait for the opening should ask again: at the opening, and often enough not to be absent. */
    long pollBefore(long now) {
        return Math.min(Math.max(opens - now, POLL), Math.max(absence / 2, 1));
    }

    /** The same for so many sessions at once. */
    public RoomRules sessions(int bound) {
        return new RoomRules(bound, pass, idle, absence, most, base, opens);
    }

    /** The same for a room that is open already. */
    public RoomRules opened() {
        return new RoomRules(active, pass, idle, absence, most, base, 0);
    }

    /** When the one at that position should ask again: soon near the front, well within the absence at the back. */
    public long poll(long position) {
        return Math.min(POLL + position * POLL_STEP, Math.max(absence / 2, 1));
    }

    /** What a slot is held for as long as nobody has left one yet. */
    long firstHold() {
        return Math.min(pass, 2 * idle);
    }

    long estimate(long position, long hold) {
        return Math.min(position * (hold / active), LONGEST_ESTIMATE);
    }
}
