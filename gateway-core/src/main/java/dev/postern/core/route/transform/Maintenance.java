package dev.postern.core.route.transform;

import dev.postern.core.exchange.Exchange;
import dev.postern.core.exchange.LocalReply;
import dev.postern.core.http.Field;
import dev.postern.core.http.FieldName;
import dev.postern.core.http.Refusal;
import dev.postern.core.net.CidrSet;
import java.net.InetAddress;
import java.time.Duration;
import java.util.List;

/**
 * Maintenance mode of a route: the gateway refuses all clients but those of {@code bypass}, before it asks for a token.
 *
 * @param page HTML for browsers, empty for the default page; not copied
 * @param retryAfter value of Retry-After, in whole seconds
 * @param bypass clients that may use the route nevertheless
 */
public record Maintenance(byte[] page, Duration retryAfter, CidrSet bypass) {

    boolean closedTo(InetAddress client) {
        return !bypass.contains(client);
    }

    void refuse(Exchange exchange) {
        Field later = Field.of(FieldName.RETRY_AFTER, Long.toString(Math.max(1, retryAfter.toSeconds())));
        LocalReply reply = LocalReply.of(Refusal.MAINTENANCE, exchange, List.of(later));
        exchange.outcome().refusal(Refusal.MAINTENANCE);
        boolean wantsPage = reply.contentType().startsWith("text/html");
        exchange.reply(
                wantsPage && page.length > 0
                        ? new LocalReply(reply.status(), reply.contentType(), reply.fields(), page)
                        : reply);
    }
}
