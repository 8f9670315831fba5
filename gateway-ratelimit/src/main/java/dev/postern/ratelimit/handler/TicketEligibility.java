package dev.postern.ratelimit.handler;

import dev.postern.core.exchange.Exchange;
import dev.postern.core.http.FieldName;
import dev.postern.core.http.Method;
import dev.postern.core.http.RequestHead;
import dev.postern.core.route.Route;
import dev.postern.ratelimit.queue.AdmissionRequest.Intent;

/** Who may take a ticket: pages, not what belongs to them (W3C Fetch Metadata; browsers don't let scripts set these fields). */
final class TicketEligibility {

    private static final FieldName ORIGIN = FieldName.of("origin");
    private static final FieldName REQUESTED = FieldName.of("access-control-request-method");

    private static final String NAVIGATE = "navigate";

    private TicketEligibility() {}

    /** @param known whether the request brought a ticket of ours */
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

    /** Browsers that don't send Fetch Metadata still say what a page must be, and ask for other things as anything. */
    private static boolean wantsPage(RequestHead request) {
        String accept = request.joined(FieldName.ACCEPT);
        return accept != null && accept.contains("text/html");
    }

    /** Whether this is a CORS preflight that the route lets pass without token and room. */
    static boolean passingPreflight(Exchange exchange) {
        RequestHead request = exchange.request();
        return request.method().equals(Method.OPTIONS)
                && request.has(ORIGIN)
                && request.has(REQUESTED)
                && Route.of(exchange).preflight() == Route.Preflight.FORWARD;
    }
}
