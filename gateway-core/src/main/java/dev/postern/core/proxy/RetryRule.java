package dev.postern.core.proxy;

import dev.postern.core.http.Refusal;
import dev.postern.core.http.RequestHead;

/**
 * When a request may be sent again (RFC 9110 section 9.2.2): never when the upstream may have acted on it.
 *
 * <p>A connection that could not be opened took nothing. A connection that had served before and died without a byte was stale, most
 * likely; then a safe request without a body goes once more, over a fresh one. One that was not answered in time goes to another server. One that
 * the server says it did nothing with goes again, whatever it asks for, unless a part of its body is gone. Everything else goes at most once.
 */
final class RetryRule {

    private static final int MAX_TRIES = 3;

    /** Servers that take leave after some requests each serve these: a burst of many gets through all the same. */
    private static final int MAX_LEAVES = 16;

    private RetryRule() {}

    /** After a connection was lost with the request on it. */
    static boolean afterLoss(RequestHead request, Refusal refusal, boolean reused, boolean silent, int tries) {
        return refusal == Refusal.UPSTREAM_CLOSED && reused && silent && repeatable(request, tries);
    }

    /** After the server said that it did nothing: whatever the request asks for, nobody has acted on it. */
    static boolean afterNothing(int tries) {
        return tries < MAX_TRIES;
    }

    /** The same after the server took its leave; {@code leaves} counts this one, and tries don't count those. */
    static boolean afterLeave(int leaves) {
        return leaves <= MAX_LEAVES;
    }

    /** Whether another server may be asked when this one is not heard of in time. */
    static boolean afterSilence(RequestHead request, boolean others, int tries) {
        return others && repeatable(request, tries);
    }

    private static boolean repeatable(RequestHead request, int tries) {
        return request.method().safe() && !request.hasBody() && tries < MAX_TRIES;
    }

    /** After a connection could not be opened; {@code failures} counts this one. */
    static boolean afterConnect(int failures, int endpoints) {
        return failures < Math.min(MAX_TRIES, endpoints);
    }
}
