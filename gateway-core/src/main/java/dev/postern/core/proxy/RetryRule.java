package dev.postern.core.proxy;

import dev.postern.core.http.Refusal;
import dev.postern.core.http.RequestHead;

/**
 * Rule that decides when a request may be sent again (RFC 9110 section 9.2.2): never when the upstream may have processed it.
 *
 * <p>A connect that failed sent no request. A reused connection that closed without a byte was most likely stale: a safe request without a
 * body is sent once more, over a new connection. Where the upstream has a time per try, a safe request without a response in this time is
 * sent to another endpoint. Any request that the endpoint reports as not processed is sent again, unless a part of its body was consumed.
 * All other requests are sent at most once.
 */
final class RetryRule {

    private static final int MAX_TRIES = 3;

    /** Endpoints that shut connections down after some requests each serve these: a burst of many requests succeeds nevertheless. */
    private static final int MAX_LEAVES = 16;

    private RetryRule() {}

    /** Returns whether to send again after a connection was lost with the request on it. */
    static boolean afterLoss(RequestHead request, Refusal refusal, boolean reused, boolean silent, int tries) {
        return refusal == Refusal.UPSTREAM_CLOSED && reused && silent && repeatable(request, tries);
    }

    /** Returns whether to send again after the endpoint reported the request as not processed; any method may be sent again. */
    static boolean afterNothing(int tries) {
        return tries < MAX_TRIES;
    }

    /** Returns the same after the endpoint shut the connection down; {@code leaves} counts this one, and tries don't count those. */
    static boolean afterLeave(int leaves) {
        return leaves <= MAX_LEAVES;
    }

    /** Returns whether another endpoint may get the request when this one does not respond in time. */
    static boolean afterSilence(RequestHead request, boolean others, int tries) {
        return others && repeatable(request, tries);
    }

    /**
     * Returns whether a try without a response in time is a failure of its endpoint. An endpoint that responds to other requests meanwhile
     * is only slow to respond to this one.
     *
     * @param shortened whether the try had less than the time that the upstream has for a response
     * @param responded whether the endpoint responded to another request since the try began
     */
    static boolean silent(boolean shortened, boolean responded) {
        return !shortened && !responded;
    }

    private static boolean repeatable(RequestHead request, int tries) {
        return repeatable(request) && tries < MAX_TRIES;
    }

    /** Returns whether the request may be sent again though the upstream may have processed it. */
    static boolean repeatable(RequestHead request) {
        return request.method().safe() && !request.hasBody();
    }

    /** Returns whether to connect again after a failed connect; {@code failures} counts this one. */
    static boolean afterConnect(int failures, int endpoints) {
        return failures < Math.min(MAX_TRIES, endpoints);
    }
}
