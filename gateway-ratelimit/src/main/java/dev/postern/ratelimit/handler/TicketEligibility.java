package dev.postern.ratelimit.handler;

import dev.postern.core.http.FieldName;
import dev.postern.core.http.Method;
import dev.postern.core.http.RequestHead;
import dev.postern.ratelimit.queue.AdmissionRequest.Intent;

/** Ticket eligibility: pages may take a ticket, their parts may not (W3C Fetch Metadata; browsers don't let scripts set these fields). */
final class TicketEligibility {

    private static final String NAVIGATE = "navigate";

    private TicketEligibility() {}

    /** @param known whether the request has a valid ticket */
    static Intent of(RequestHead request, boolean known) {
        Method method = request.method();
        if (method.equals(Method.OPTIONS)) {
            return Intent.FETCH;
        }
        boolean reads = method.equals(Method.GET) || method.equals(Method.HEAD);
        String mode = request.value(FieldName.SEC_FETCH_MODE);
        if (!reads && !known || mode != null && !mode.equals(NAVIGATE)) {
            return Intent.FETCH;
        }
        return mode != null || wantsPage(request) ? Intent.PAGE : Intent.ENTER;
    }

    /** Returns whether Accept contains text/html: browsers without Fetch Metadata send text/html for pages, and other types for parts. */
    private static boolean wantsPage(RequestHead request) {
        String accept = request.joined(FieldName.ACCEPT);
        return accept != null && accept.contains("text/html");
    }
}
