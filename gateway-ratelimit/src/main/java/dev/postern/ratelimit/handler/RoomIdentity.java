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
 * Who an exchange is to its room.
 *
 * @param ticket what it holds in writing, or a fresh one
 * @param known whether it brought that ticket
 * @param bound what its cookie is bound to; null where it holds none because the token or the address is the ticket
 * @param intent what it is after
 * @param credential what may open its ticket, in hex, or empty
 * @param share on whose account it waits
 */
record RoomIdentity(
        Ticket ticket, boolean known, byte @Nullable [] bound, Intent intent, String credential, TenantShare share) {

    /** On reverse listeners the cookie says who it is; on forward ones the token, else the address. */
    static RoomIdentity of(
            Exchange exchange,
            RoomKey room,
            FairQueueSettings settings,
            TicketCookie cookies,
            RateKeyExtractor extractor) {
        Credential credential = exchange.credential();
        String hex = credential == null ? "" : credential.hex();
        TenantShare share = extractor.share(settings.tenants(), exchange);
        if (!exchange.client().listener().reverse()) {
            String session = hex.isEmpty() ? extractor.address(exchange) : hex;
            return new RoomIdentity(new Ticket(session, Claim.NONE, 0), false, null, Intent.ENTER, hex, share);
        }
        RequestHead request = exchange.request();
        byte[] bound = bound(exchange, room, settings);
        Ticket brought = cookies.read(request, exchange.client().secure(), bound);
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

    /** The Set-Cookie value for that ticket; null where the party holds no cookie. */
    @Nullable
    String cookie(Ticket written, Exchange exchange, TicketCookie cookies) {
        byte[] to = bound;
        return to == null
                ? null
                : cookies.write(written, exchange.request(), exchange.client().secure(), to);
    }

    /** The cookie as fields of a response that must not be stored (DESIGN 4.9). */
    List<Field> cookieFields(Ticket written, Exchange exchange, TicketCookie cookies) {
        String value = cookie(written, exchange, cookies);
        return value == null
                ? List.of()
                : List.of(Field.of(FieldName.SET_COOKIE, value), Field.of(FieldName.CACHE_CONTROL, "no-store"));
    }
}
