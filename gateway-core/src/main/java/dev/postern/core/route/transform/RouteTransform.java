package dev.postern.core.route.transform;

import dev.postern.core.exchange.Exchange;
import dev.postern.core.exchange.LocalReply;
import org.jspecify.annotations.Nullable;

/**
 * Transform of a route: changes to requests and responses, and local replies.
 *
 * @param request changes to the fields of requests, after the gateway added its own
 * @param response changes to the fields of responses, those of upstreams and local replies
 * @param rewrite another path for the upstream, or null
 * @param redirect redirect in place of forwarding, or null
 * @param maintenance maintenance mode, or null
 * @param policy allowed upgrades of connections
 */
public record RouteTransform(
        HeaderModifications request,
        HeaderModifications response,
        @Nullable Rewrite rewrite,
        @Nullable Redirect redirect,
        @Nullable Maintenance maintenance,
        UpgradePolicy policy) {

    /** Transform without changes. */
    public static final RouteTransform PLAIN = new RouteTransform(
            HeaderModifications.NONE, HeaderModifications.NONE, null, null, null, UpgradePolicy.DEFAULT);

    /** Sends the local reply of the route, if any; false when the exchange proceeds. */
    public boolean responses(Exchange exchange) {
        // The redirect comes first, so that the maintenance page is shown at its final address.
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
