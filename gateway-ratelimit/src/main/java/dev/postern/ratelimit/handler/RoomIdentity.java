package dev.postern.ratelimit.handler;

import dev.postern.core.exchange.Credential;
import dev.postern.core.exchange.Exchange;
import dev.postern.core.http.Field;
import dev.postern.core.http.FieldName;
import dev.postern.core.http.RequestHead;
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
 * @param bound data to which the cookie is bound; null where there is no cookie, because the token or the address identifies the session
 * @param intent purpose of the request
 * @param credential credential that may open a ticket, in hex, or empty
 * @param share tenant and weight under which the session waits
 */
record RoomIdentity(
        Ticket ticket, boolean known, byte @Nullable [] bound, Intent intent, String credential, TenantShare share) {

    /** Returns the identity: on reverse listeners from the cookie; on forward listeners from the token, or else the address. */
    static RoomIdentity of(
            Exchange exchange,
            RoomKey room,
            FairQueueSettings settings,
            TicketCookie cookies,
            RateKeyExtractor extractor) {
        Credential credential = exchange.credential();
        String hex = credential == null ? "" : credential.hex();
        TenantShare share = extractor.share(settings, exchange);
        if (!exchange.client().listener().reverse()) {
            String session = hex.isEmpty() ? extractor.address(exchange) : hex;
            return new RoomIdentity(new Ticket(session, Claim.NONE, 0), false, null, Intent.ENTER, hex, share);
        }
        RequestHead request = exchange.request();
        byte[] bound = bound(exchange, room, settings);
        Ticket brought = cookies.read(request, exchange.clientSecure(), bound);
        boolean known = brought != null;
        Ticket ticket = brought != null ? brought : Ticket.fresh();
        return new RoomIdentity(ticket, known, bound, TicketEligibility.of(request, known), hex, share);
    }

    static byte[] bound(Exchange exchange, RoomKey room, FairQueueSettings settings) {
        return TicketBinding.of(
                room.id(),
                settings.bind(),
                exchange.clientAddress(),
                exchange.request().value(FieldName.USER_AGENT));
    }

    String session() {
        return ticket.session();
    }

    /** Returns the Set-Cookie value for the ticket; null where there is no cookie. */
    @Nullable
    String cookie(Ticket written, Exchange exchange, TicketCookie cookies) {
        byte[] to = bound;
        return to == null ? null : cookies.write(written, exchange.request(), exchange.clientSecure(), to);
    }

    /** Returns the cookie as fields of a response, with {@code Cache-Control: no-store}, so that no cache passes it to other clients. */
    List<Field> cookieFields(Ticket written, Exchange exchange, TicketCookie cookies) {
        String value = cookie(written, exchange, cookies);
        return value == null
                ? List.of()
                : List.of(Field.of(FieldName.SET_COOKIE, value), Field.of(FieldName.CACHE_CONTROL, "no-store"));
    }
}
