package dev.postern.ratelimit.queue;

/**
 * What a room or a limit says to a visit. Times are microseconds.
 *
 * @param kind whether it passes, and why
 * @param position in the line, from 1; 0 for who doesn't wait
 * @param estimate until admission
 * @param retry after which to ask again
 * @param ticket the place in the line on the room's clock, 0 for none
 * @param end when the pass lapses unless it is used, on the room's clock; 0 for none
 * @param hard when the pass ends anyway
 * @param vouched whether the visit's credential opened this session's ticket
 * @param room the state it was taken in
 */
public record AdmissionDecision(
        Kind kind,
        long position,
        long estimate,
        long retry,
        long ticket,
        long end,
        long hard,
        boolean vouched,
        Snapshot room) {

    /** Why a visit passes or not; the order is that of the script. */
    public enum Kind {
        /** Within the rate. */
        BASE,
        /** Holds a pass. */
        ADMITTED,
        /** Has a place in the line. */
        WAITING,
        /** No place is left in the line. */
        FULL,
        /** Over the rate, and may not take a ticket. */
        LIMITED,
        /** Its credential has opened another ticket already. */
        TAKEN,
        /** The store did not say. */
        UNKNOWN;

        private static final Kind[] ALL = values();

        public static Kind of(int code) {
            return ALL[code];
        }

        public boolean passes() {
            return this == BASE || this == ADMITTED;
        }
    }

    /**
     * A room at one instant.
     *
     * @param now of its clock
     * @param epoch when its memory begins
     * @param waiting people in the line
     * @param active sessions with a pass
     */
    public record Snapshot(long now, long epoch, long waiting, long active) {

        public static final Snapshot NONE = new Snapshot(0, 0, 0, 0);
    }

    /** The store did not answer; ask again after {@code retry}. */
    public static AdmissionDecision unknown(long retry) {
        return new AdmissionDecision(Kind.UNKNOWN, 0, 0, retry, 0, 0, 0, false, Snapshot.NONE);
    }

    /** A response of a limit without a room. */
    public static AdmissionDecision limit(boolean allowed, long retry) {
        return new AdmissionDecision(allowed ? Kind.BASE : Kind.LIMITED, 0, 0, retry, 0, 0, 0, false, Snapshot.NONE);
    }
}
