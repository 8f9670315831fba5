package dev.postern.core.route.transform;

import dev.postern.core.exchange.Exchange;
import dev.postern.core.exchange.LocalReply;
import org.jspecify.annotations.Nullable;

/**
 * All that a route changes of what passes it, and all that it responds by itself.
 *
 * @param request what happens to the fields of requests, after ours were added
 * @param response what happens to the fields of responses, the upstream's and our own
 * @param rewrite another path for the upstream, or null
 * @param redirect where clients are sent instead, or null
 * @param maintenance whether the route is closed for a while, or null
 * @param policy what its connections may become
 */
public record RouteTransform(
        HeaderModifications request,
        HeaderModifications response,
        @Nullable Rewrite rewrite,
        @Nullable Redirect redirect,
        @Nullable Maintenance maintenance,
        UpgradePolicy policy) {

    /** Everything goes on as it is. */
    public static final RouteTransform PLAIN = new RouteTransform(
            HeaderModifications.NONE, HeaderModifications.NONE, null, null, null, UpgradePolicy.DEFAULT);

    /** Responds itself to what the route does not pass on; false when the exchange is to go on. */
    public boolean responses(Exchange exchange) {
        // First, so that the page of the second is seen where it is meant to be seen.
        @Nullable LocalReply elsewhere = redirect == null ? null : redirect.reply(exchange);
        if (elsewhere != null) {
            exchange.reply(elsewhere);
            return true;
        }
        if (maintenance != null && maintenance.closedTo(exchange.clientAddress())) {
            maintenance.refuse(exchange);
            return true;
        }
        return false;
    }
}
