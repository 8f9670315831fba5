package dev.postern.ratelimit.queue;

/**
 * Admission decision of a room or a limit. Times are microseconds.
 *
 * @param kind whether the request passes, and why
 * @param position position in the queue, from 1; 0 if not waiting
 * @param estimate estimated time until admission
 * @param retry time after which to retry
 * @param ticket place in the queue as a time of the room's clock, 0 for none; negative if deferred, see {@link AdmissionRequest.Claim}
 * @param end end of the pass if it is not used, on the room's clock; 0 for none
 * @param hard hard end of the pass
 * @param openedTicket whether the request's credential opened the ticket of this session
 * @param room state of the room at the decision
 */
public record AdmissionDecision(
        Kind kind,
        long position,
        long estimate,
        long retry,
        long ticket,
        long end,
        long hard,
        boolean openedTicket,
        Snapshot room) {

    /** Kind of a decision, in the order of the codes of {@code room.lua}. */
    public enum Kind {
        /** The request is within the base rate. */
        BASE,
        /** The session has a pass. */
        ADMITTED,
        /** The session has a place in the queue. */
        WAITING,
        /** The queue has no free place. */
        FULL,
        /** The request exceeds the rate and may not take a ticket. */
        LIMITED,
        /** The credential has already opened the ticket of another session. */
        TAKEN,
        /** The client's network has its share of the places: the session gets a place when it comes back. */
        DEFERRED,
        /** The store did not respond. */
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
     * Snapshot of a room.
     *
     * @param now time of the room's clock
     * @param epoch time at which the room's memory begins
     * @param waiting number of waiting sessions
     * @param active number of sessions with a pass
     */
    public record Snapshot(long now, long epoch, long waiting, long active) {

        public static final Snapshot NONE = new Snapshot(0, 0, 0, 0);
    }

    /** Returns a decision for a store that did not respond; to be retried after {@code retry}. */
    public static AdmissionDecision unknown(long retry) {
        return new AdmissionDecision(Kind.UNKNOWN, 0, 0, retry, 0, 0, 0, false, Snapshot.NONE);
    }

    /** Returns a decision of a limit without rooms. */
    public static AdmissionDecision limit(boolean allowed, long retry) {
        return new AdmissionDecision(allowed ? Kind.BASE : Kind.LIMITED, 0, 0, retry, 0, 0, 0, false, Snapshot.NONE);
    }
}
