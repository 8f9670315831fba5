package dev.postern.ratelimit.handler;

import dev.postern.ratelimit.queue.AdmissionDecision.Snapshot;
import dev.postern.ratelimit.queue.AdmissionRequest.Claim;

/**
 * Outage rule: decides on a request for which the store of the rooms did not respond. No session is admitted newly, so the bound on active
 * sessions holds; passes and places last as long as the room would have kept them.
 *
 * @param keep time without a request after which a place is lost, in microseconds
 */
record OutageRule(long keep) {

    /** Verdict on a request. */
    enum Verdict {
        /** This node knows the pass, and it is used as always. */
        USE_PASS,
        /** The pass is known from the client's sealed cookie only, and is used from now on as a pass that this node knows. */
        TAKE_PASS,
        /** The session waits, and keeps its place. */
        KEEP_PLACE,
        /** The client has neither a pass nor a place. */
        REFUSE
    }

    /**
     * Knowledge of this node about the session.
     *
     * @param lasts whether the node knows a pass that still lasts
     * @param ended whether the node knows that the pass has ended before the end in the cookie
     * @param claim claim of the sealed cookie
     */
    record Known(boolean lasts, boolean ended, Claim claim) {}

    /** @param last state of the room as last seen, with its present time; zeros if this node has not seen the room */
    Verdict verdict(Known known, Snapshot last) {
        Claim claim = known.claim();
        if (known.lasts()) {
            return Verdict.USE_PASS;
        }
        boolean ofThisRoom = last.epoch() != 0 && claim.epoch() == last.epoch();
        if (ofThisRoom && !known.ended() && claim.end() > last.now() && claim.hard() > last.now()) {
            return Verdict.TAKE_PASS;
        }
        return claim.ticket() != 0 && claim.seen() > last.now() - keep ? Verdict.KEEP_PLACE : Verdict.REFUSE;
    }
}
