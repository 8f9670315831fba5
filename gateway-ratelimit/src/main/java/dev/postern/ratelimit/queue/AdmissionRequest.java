package dev.postern.ratelimit.queue;

/**
 * One question to a room. Times are microseconds of the room's clock; what comes from a sealed cookie was verified before it gets here.
 *
 * @param intent what the visitor is after
 * @param session 1..64 characters that name the session, of {@code A-Za-z0-9_-}
 * @param key what the base rate counts by
 * @param claim what the visitor's sealed cookie says
 * @param credential what vouches for the visitor, in hex, or empty; opens one ticket at most
 * @param share on whose account it waits, if it must
 */
public record AdmissionRequest(
        Intent intent, String session, String key, Claim claim, String credential, TenantShare share) {

    /** One that brings nothing but what it holds in writing. */
    public static AdmissionRequest of(Intent intent, String session, Claim claim) {
        return new AdmissionRequest(intent, session, "", claim, "", TenantShare.NONE);
    }

    /** What a visitor is after. */
    public enum Intent {
        /** A page for sure: takes a ticket if it must, and never passes on what another page may still fetch. */
        PAGE,
        /** What may be a page: takes a ticket if it must. */
        ENTER,
        /** Something that belongs to a page, or anything else that must not take a ticket. */
        FETCH,
        /** A waiting one says that it is still there. */
        POLL,
        /** A pass that this node knows is to last longer; never takes a free slot. */
        RENEW,
        /** A place whose holder was heard from while the room could not be asked is to be kept; never takes a free slot either. */
        KEEP;

        /** Whether it may take a ticket. */
        boolean joins() {
            return this == PAGE || this == ENTER;
        }

        /** Whether it is a request that may pass on the base rate. */
        boolean asks() {
            return joins() || this == FETCH;
        }
    }

    /**
     * What a room once gave in writing; honoured only by a room that has lost its memory since.
     *
     * @param epoch of the room that gave it, 0 for nothing
     * @param ticket the place in the line, 0 for none
     * @param seen when the holder was last heard from
     * @param end when the pass lapses, 0 for none
     * @param hard when the pass ends anyway
     */
    public record Claim(long epoch, long ticket, long seen, long end, long hard) {

        public static final Claim NONE = new Claim(0, 0, 0, 0, 0);
    }
}
