package dev.postern.ratelimit.queue;

import dev.postern.core.rate.Gcra;

/**
 * Rules of a room; all times in microseconds.
 *
 * @param active maximum number of active sessions, never exceeded
 * @param pass maximum lifetime of a pass
 * @param idle time from the last request of a session to the end of its pass
 * @param absence time without a request after which a waiting session loses its place
 * @param maxWaiting maximum number of waiting sessions
 * @param base rate of requests that pass while the queue is empty
 * @param opens time at which the room opens: until then all sessions wait, in random order; 0 for open already
 */
public record RoomRules(int active, long pass, long idle, long absence, int maxWaiting, Gcra base, long opens) {

    /** Time for which a page that passed within the base rate may load its parts. */
    public static final long LEASE = 5_000_000;

    /** Maximum number of requests for the parts of such a page. */
    public static final int LEASE_REQUESTS = 64;

    /** Time for which a credential that opened a ticket can't open another one: longer than any credential is valid. */
    public static final long CREDENTIAL_MEMORY = 7_200_000_000L;

    /** Maximum number of entries of one kind that one step removes; the next step continues. */
    public static final int PURGE = 64;

    /** Maximum estimate of a waiting time. */
    public static final long LONGEST_ESTIMATE = 86_400_000_000L;

    /** Maximum number of requests of a waiting session that are recorded in the time of an absence. */
    private static final int RECORDS = 16;

    private static final long POLL = 1_000_000;
    private static final long POLL_STEP = 20_000;

    public RoomRules {
        if (active < 1 || pass < 1 || idle < 1 || absence < 1 || maxWaiting < 0) {
            throw new IllegalArgumentException(
                    "room: active " + active + ", pass " + pass + ", idle " + idle + ", absence " + absence
                            + ", max-waiting " + maxWaiting + " (expected: at least 1, waiting at least 0)");
        }
    }

    /** Creates the rules of a room that is open already. */
    public RoomRules(int active, long pass, long idle, long absence, int maxWaiting, Gcra base) {
        this(active, pass, idle, absence, maxWaiting, base, 0);
    }

    /** Returns the poll interval before the opening: up to the opening, but often enough that sessions are not absent. */
    public long pollBefore(long now) {
        return Math.min(Math.max(opens - now, POLL), Math.max(absence / 2, 1));
    }

    /** Returns the same rules with another maximum number of active sessions. */
    public RoomRules sessions(int bound) {
        return new RoomRules(bound, pass, idle, absence, maxWaiting, base, opens);
    }

    /** Returns the same rules for a room that is open already. */
    public RoomRules opened() {
        return new RoomRules(active, pass, idle, absence, maxWaiting, base, 0);
    }

    /** Returns the poll interval at a position: short near the front, at most half of the absence time at the back. */
    public long poll(long position) {
        return Math.min(POLL + position * POLL_STEP, Math.max(absence / 2, 1));
    }

    /**
     * Returns the time that is recorded for a request of a waiting session: rounded up to a sixteenth of the absence, so that a session
     * that sends many requests is recorded at most that often.
     */
    long recorded(long now) {
        return now + Math.floorMod(-now, Math.max(absence / RECORDS, 1));
    }

    /** Returns the assumed holding time of a slot until the first slot was released. */
    long firstHold() {
        return Math.min(pass, 2 * idle);
    }

    /** Returns the estimated time until admission, if a slot is held for the given time. */
    public long estimate(long position, long hold) {
        return Math.min(position * (hold / active), LONGEST_ESTIMATE);
    }
}
