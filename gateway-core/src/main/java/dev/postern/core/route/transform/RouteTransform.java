package dev.postern.core.route.transform;

import dev.postern.core.exchange.Exchange;
import dev.postern.core.exchange.LocalReply;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Transform of a route: changes to requests and responses, and local replies.
 *
 * @param request changes to the fields of requests, after the gateway added its own
 * @param response changes to the fields of responses, those of upstreams and local replies
 * @param rewrite another path for the upstream, or null
 * @param redirect redirect in place of forwarding, or null
 * @param maintenance maintenance mode, or null
 * @param respond static response in place of forwarding, or null
 * @param policy allowed upgrades of connections
 * @param pathForm form of the path for the upstream where there is no rewrite
 */
public record RouteTransform(
        HeaderModifications request,
        HeaderModifications response,
        @Nullable Rewrite rewrite,
        @Nullable Redirect redirect,
        @Nullable Maintenance maintenance,
        @Nullable StaticResponse respond,
        UpgradePolicy policy,
        PathForm pathForm) {

    /** Transform without changes. */
    public static final RouteTransform PLAIN = new RouteTransform(
            HeaderModifications.NONE,
            HeaderModifications.NONE,
            null,
            null,
            null,
            null,
            UpgradePolicy.DEFAULT,
            PathForm.AS_SENT);

    /** Form of the path in requests to the upstream. */
    public enum PathForm {
        AS_SENT,
        NORMAL
    }

    /** Returns whether the upstream gets the path as the client spelt it; a rewrite makes its new path of the normal form. */
    public boolean sendsPathAsSent() {
        return pathForm == PathForm.AS_SENT && rewrite == null;
    }

    /**
     * Returns whether each reading of the path is rewritten and redirected as the path itself.
     *
     * @param others the readings of the path
     */
    public boolean agrees(Exchange exchange, Set<String> others) {
        return (redirect == null || redirect.agrees(exchange, others))
                && (rewrite == null || rewrite.agrees(exchange, others));
    }

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
        if (respond != null) {
            exchange.reply(respond.reply(exchange));
            return true;
        }
        return false;
    }
}
