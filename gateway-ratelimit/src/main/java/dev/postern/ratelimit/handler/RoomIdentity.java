package dev.postern.ratelimit.handler;

import dev.postern.core.exchange.ClientBinding;
import dev.postern.core.exchange.Credential;
import dev.postern.core.exchange.Exchange;
import dev.postern.core.http.Field;
import dev.postern.core.http.FieldName;
import dev.postern.ratelimit.queue.AdmissionRequest.Claim;
import dev.postern.ratelimit.queue.AdmissionRequest.Intent;
import dev.postern.ratelimit.queue.TenantShare;
import dev.postern.ratelimit.store.FairQueueSettings;
import dev.postern.ratelimit.store.RoomKey;
import dev.postern.ratelimit.waiting.Ticket;
import dev.postern.ratelimit.waiting.TicketBinding;
import dev.postern.ratelimit.waiting.TicketCookie;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Room identity of an exchange.
 *
 * @param ticket ticket from the request, or a new one
 * @param known whether the ticket is from the request
 * @param binding room and client to which the cookie is bound; null where there is no cookie, because the token or the address identifies
 *     the session
 * @param intent purpose of the request
 * @param credential credential that may open a ticket, in hex, or empty
 * @param share tenant and weight under which the session waits
 * @param network hash of the network that the session's place counts for; empty where there is no cookie, with which it could come back
 */
record RoomIdentity(
        Ticket ticket,
        boolean known,
        @Nullable TicketBinding binding,
        Intent intent,
        String credential,
        TenantShare share,
        String network) {

    /** Returns the identity: on reverse listeners from the cookie; on forward listeners from the token, or else the address. */
    static RoomIdentity of(Exchange exchange, RoomKey room, FairQueueSettings settings, AdmissionContext context) {
        Credential credential = exchange.credential();
        String hex = credential == null ? "" : credential.hex();
        TenantShare share = context.extractor().share(settings, exchange);
        if (!exchange.client().listener().reverse()) {
            String session = hex.isEmpty() ? context.extractor().address(exchange) : hex;
            return new RoomIdentity(new Ticket(session, Claim.NONE, 0, 0), false, null, Intent.ENTER, hex, share, "");
        }
        TicketBinding binding = binding(exchange, room, settings);
        Ticket brought = context.cookies().read(exchange.request(), exchange.clientSecure(), binding);
        if (brought == null) {
            return unknown(exchange, binding, hex, share, context);
        }
        String network = context.extractor().network(exchange);
        return new RoomIdentity(
                brought, true, binding, TicketEligibility.of(exchange.request(), true), hex, share, network);
    }

    /** Returns the identity that the same client would have without its ticket. */
    RoomIdentity withoutTicket(Exchange exchange, AdmissionContext context) {
        TicketBinding same = binding;
        return same == null ? this : unknown(exchange, same, credential, share, context);
    }

    private static RoomIdentity unknown(
            Exchange exchange, TicketBinding binding, String credential, TenantShare share, AdmissionContext context) {
        // A client that cannot store one more cookie must not take a place that it could not find again.
        Intent intent = space(exchange, binding, context).free()
                ? TicketEligibility.of(exchange.request(), false)
                : Intent.FETCH;
        Ticket fresh = Ticket.fresh(prefix(exchange));
        String network = context.extractor().network(exchange);
        return new RoomIdentity(fresh, false, binding, intent, credential, share, network);
    }

    static TicketBinding binding(Exchange exchange, RoomKey room, FairQueueSettings settings) {
        return TicketBinding.of(
                room,
                ClientBinding.bytes(
                        settings.bind(),
                        exchange.networkPrefix(),
                        exchange.request().value(FieldName.USER_AGENT)));
    }

    /** Returns the network of the client as a number, by which the networks of a pass are counted. */
    static long prefix(Exchange exchange) {
        return exchange.networkPrefix().number();
    }

    private static TicketCookie.Space space(Exchange exchange, TicketBinding binding, AdmissionContext context) {
        return context.cookies().space(exchange.request(), exchange.clientSecure(), binding, context.now());
    }

    /** Returns whether the client has so many live tickets of other rooms that it cannot get one of this room. */
    boolean crowded(Exchange exchange, AdmissionContext context) {
        TicketBinding to = binding;
        return to != null && !known && !space(exchange, to, context).free();
    }

    String session() {
        return ticket.session();
    }

    /**
     * Returns the Set-Cookie value for the ticket; null where there is no cookie. Adds the removal of another cookie to the response where
     * a new one needs its space.
     */
    @Nullable
    String cookie(Ticket written, Exchange exchange, AdmissionContext context) {
        TicketBinding to = binding;
        if (to == null) {
            return null;
        }
        String expire = known ? null : space(exchange, to, context).expire();
        if (expire != null) {
            exchange.addResponseField(Field.of(FieldName.SET_COOKIE, expire));
        }
        return context.cookies().write(written, exchange.clientSecure(), to);
    }

    /** Returns the cookie as fields of a response, with {@code Cache-Control: no-store}, so that no cache passes it to other clients. */
    List<Field> cookieFields(Ticket written, Exchange exchange, AdmissionContext context) {
        String value = cookie(written, exchange, context);
        return value == null
                ? List.of()
                : List.of(Field.of(FieldName.SET_COOKIE, value), Field.of(FieldName.CACHE_CONTROL, "no-store"));
    }
}
