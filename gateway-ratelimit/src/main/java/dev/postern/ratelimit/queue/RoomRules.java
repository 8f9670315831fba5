package dev.postern.ratelimit.queue;

import dev.postern.core.rate.Gcra;
import org.jspecify.annotations.Nullable;

/**
 * Rules of a room; all times in microseconds.
 *
 * @param active maximum number of active sessions, never exceeded
 * @param pass maximum lifetime of a pass
 * @param idle time from the last request of a session to the end of its pass
 * @param absence time without a request after which a waiting session is absent: it blocks no other session
 * @param keep time without a request after which it loses its place; not less than {@code absence}
 * @param maxWaiting maximum number of waiting sessions, and of absent ones beside them
 * @param base rate of requests that pass while the queue is empty; null for none: each client is a session from its first request
 * @param opens instant of the wall clock at which the room opens: until then all sessions wait, in random order; 0 for open already
 * @param perNetwork number of places of one client network that are given at once; further ones when the client comes back
 */
public record RoomRules(
        int active,
        long pass,
        long idle,
        long absence,
        long keep,
        int maxWaiting,
        @Nullable Gcra base,
        long opens,
        int perNetwork) {

    /** Time for which a page that passed within the base rate may load its parts. */
    public static final long LEASE = 5_000_000;

    /** Maximum number of requests for the parts of such a page. */
    public static final int LEASE_REQUESTS = 64;

    /** Time for which a credential that opened a ticket can't open another one: longer than any credential is valid. */
    public static final long CREDENTIAL_MEMORY = 7_200_000_000L;

    /** Maximum number of entries of one kind that one step removes; the next step continues. */
    public static final int PURGE = 64;

    /** Time in which a deferred session comes back. */
    public static final long RETURN = 30_000_000;

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
        if (keep < absence) {
            throw new IllegalArgumentException("room: keep " + keep + " (expected: at least absence, " + absence + ")");
        }
    }

    /** Creates the rules of a room that gives places to all networks alike. */
    public RoomRules(
            int active,
            long pass,
            long idle,
            long absence,
            long keep,
            int maxWaiting,
            @Nullable Gcra base,
            long opens) {
        this(active, pass, idle, absence, keep, maxWaiting, base, opens, Integer.MAX_VALUE);
    }

    /** Creates the rules of a room that is open already and keeps no places of absent sessions. */
    public RoomRules(int active, long pass, long idle, long absence, int maxWaiting, @Nullable Gcra base) {
        this(active, pass, idle, absence, absence, maxWaiting, base, 0);
    }

    /**
     * Returns the poll interval before the opening: up to the opening, but often enough that sessions are not absent.
     *
     * @param wall time of the wall clock
     */
    public long pollBefore(long wall) {
        return Math.min(Math.max(opens - wall, POLL), Math.max(absence / 2, 1));
    }

    /** Returns the same rules with another maximum number of active sessions. */
    public RoomRules sessions(int bound) {
        return new RoomRules(bound, pass, idle, absence, keep, maxWaiting, base, opens, perNetwork);
    }

    /** Returns the same rules with another time for which places of absent sessions are kept. */
    public RoomRules keeping(long longest) {
        return new RoomRules(active, pass, idle, absence, longest, maxWaiting, base, opens, perNetwork);
    }

    /** Returns the same rules for a room that is open already. */
    public RoomRules opened() {
        return new RoomRules(active, pass, idle, absence, keep, maxWaiting, base, 0, perNetwork);
    }

    /** Returns the poll interval at a position: short near the front, at most half of the absence time at the back. */
    public long poll(long position) {
        return Math.min(POLL + position * POLL_STEP, Math.max(absence / 2, 1));
    }

    /** Returns the same rules with another number of places of one network that are given at once. */
    public RoomRules perNetwork(int places) {
        return new RoomRules(active, pass, idle, absence, keep, maxWaiting, base, opens, places);
    }

    /**
     * Returns the time after which a deferred session should come back: as if it were at the position, but always in time.
     *
     * @param position 0 before the opening
     */
    public long comeBack(long position, long now) {
        return Math.min(position == 0 ? pollBefore(now) : poll(position), RETURN / 3);
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
