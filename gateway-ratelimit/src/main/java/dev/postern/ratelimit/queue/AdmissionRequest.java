package dev.postern.ratelimit.queue;

/**
 * Admission request to a room. Times are microseconds of the room's clock. Values from a sealed cookie are already verified.
 *
 * @param intent purpose of the request
 * @param session session id, 1..64 characters of {@code A-Za-z0-9_-}
 * @param key key by which the base rate counts
 * @param claim claim from the client's sealed cookie
 * @param credential credential of the client in hex, or empty; opens at most one ticket
 * @param share tenant and weight under which the session waits
 * @param network client network that the session's place counts for, of {@code A-Za-z0-9_-}; empty where places are not counted
 */
public record AdmissionRequest(
        Intent intent, String session, String key, Claim claim, String credential, TenantShare share, String network) {

    /** Creates a request whose place is not counted for a network. */
    public AdmissionRequest(
            Intent intent, String session, String key, Claim claim, String credential, TenantShare share) {
        this(intent, session, key, claim, credential, share, "");
    }

    /** Returns a request with a claim, but without a rate key, credential and tenant. */
    public static AdmissionRequest of(Intent intent, String session, Claim claim) {
        return new AdmissionRequest(intent, session, "", claim, "", TenantShare.NONE);
    }

    /** Returns the same request with a place that counts for the network. */
    public AdmissionRequest countedFor(String counted) {
        return new AdmissionRequest(intent, session, key, claim, credential, share, counted);
    }

    /** Purpose of a request. */
    public enum Intent {
        /** A request for a page: takes a ticket if necessary, and never uses the lease of another page. */
        PAGE,
        /** A request that may be for a page: takes a ticket if necessary. */
        ENTER,
        /** A request for a part of a page, or any other request that must not take a ticket. */
        FETCH,
        /** A poll of a waiting session, which shows that the client is still present. Takes a place only if the session was deferred. */
        POLL,
        /** Extends a pass that this node knows; never takes a free slot. */
        RENEW,
        /** Keeps the place of a session that was present while the store was unavailable; never takes a free slot. */
        KEEP;

        /** Returns whether the request may take a ticket. */
        boolean joins() {
            return this == PAGE || this == ENTER;
        }

        /** Returns whether the request may pass within the base rate. */
        boolean asks() {
            return joins() || this == FETCH;
        }
    }

    /**
     * Claim to a place or a pass, issued by a room. Used by a room that has lost its memory since, and if the session was deferred.
     *
     * @param epoch epoch of the issuing room, 0 for no claim
     * @param ticket place in the queue, 0 for none; negative for a deferred session, which has none yet: minus the ticket that it takes, or
     *     {@link #NO_TICKET}
     * @param seen time of the last request of the session
     * @param end end of the pass, 0 for none
     * @param hard hard end of the pass
     */
    public record Claim(long epoch, long ticket, long seen, long end, long hard) {

        public static final Claim NONE = new Claim(0, 0, 0, 0, 0);

        /** The negative ticket of a deferred session whose place depends on its tenant, so that a poll can't take it. */
        public static final long NO_TICKET = -1;

        boolean deferred() {
            return ticket < 0;
        }
    }
}
