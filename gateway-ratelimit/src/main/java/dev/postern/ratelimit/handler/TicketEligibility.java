package dev.postern.ratelimit.handler;

import dev.postern.core.http.FieldName;
import dev.postern.core.http.Method;
import dev.postern.core.http.RequestHead;
import dev.postern.ratelimit.queue.AdmissionRequest.Intent;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Ticket eligibility: a page that a visitor wants now may take a ticket; its parts, and what is loaded for later, may not (W3C Fetch
 * Metadata; browsers don't let scripts set these fields).
 */
final class TicketEligibility {

    private static final String NAVIGATE = "navigate";
    private static final String DOCUMENT = "document";
    private static final String CROSS_SITE = "cross-site";
    private static final FieldName SITE = FieldName.of("sec-fetch-site");
    private static final FieldName STORAGE_ACCESS = FieldName.of("sec-fetch-storage-access");
    private static final String NONE = "none";

    /** Destinations of a page inside another page. Objects and embedded files are loaded by navigations too, but are parts of a page. */
    private static final Set<String> FRAMES = Set.of("iframe", "frame", "fencedframe");

    private TicketEligibility() {}

    /** @param known whether the request has a valid ticket */
    static Intent of(RequestHead request, boolean known) {
        return switch (RequestPurpose.of(request)) {
            case PREFETCH -> Intent.RENEW; // passes with the pass of its session, and takes nothing
            case LINK_FETCH -> Intent.FETCH;
            case USE -> ofUse(request, known);
        };
    }

    private static Intent ofUse(RequestHead request, boolean known) {
        Method method = request.method();
        boolean reads = method.equals(Method.GET) || method.equals(Method.HEAD);
        if (method.equals(Method.OPTIONS) || !known && (!reads || framedElsewhere(request))) {
            return Intent.FETCH;
        }
        @Nullable String mode = request.value(FieldName.SEC_FETCH_MODE);
        @Nullable String destination = request.value(FieldName.SEC_FETCH_DEST);
        if (mode == null && destination == null) {
            return wantsPage(request) ? Intent.PAGE : Intent.ENTER;
        }
        if (mode != null && !mode.equals(NAVIGATE)) {
            return Intent.FETCH;
        }
        return destination == null ? Intent.PAGE : ofDestination(destination);
    }

    /**
     * Returns whether the request is for a page in a frame of another site. A browser keeps no ticket for such a page, since the cookie has
     * {@code SameSite=Lax}; and with places, pages with hidden frames could fill the queue with their visitors. A link within such a frame
     * leads to the same site, but the browser may say that the frame has no cookies (Storage Access Headers).
     */
    static boolean framedElsewhere(RequestHead request) {
        @Nullable String destination = request.value(FieldName.SEC_FETCH_DEST);
        return destination != null
                && FRAMES.contains(destination)
                && (CROSS_SITE.equals(request.value(SITE)) || NONE.equals(request.value(STORAGE_ACCESS)));
    }

    private static Intent ofDestination(String destination) {
        if (destination.equals(DOCUMENT)) {
            return Intent.PAGE;
        }
        return FRAMES.contains(destination) ? Intent.ENTER : Intent.FETCH;
    }

    /** Returns whether Accept contains text/html: browsers without Fetch Metadata send text/html for pages, and other types for parts. */
    private static boolean wantsPage(RequestHead request) {
        @Nullable String accept = request.joined(FieldName.ACCEPT);
        return accept != null && accept.contains("text/html");
    }
}
