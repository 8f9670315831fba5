package dev.postern.ratelimit.waiting;

import dev.postern.core.exchange.FieldName;
import dev.postern.core.exchange.RequestHead;
import dev.postern.core.seal.Seal;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The sealed ticket cookie: one cookie per host, which holds the tickets of up to {@value #MOST} rooms, joined by dots.
 *
 * <p>Whatever isn't exactly what we gave, to this client and for this room, counts as absent. Thread-safe.
 */
public final class TicketCookie {

    private static final String NAME = "postern-ticket";
    private static final String SECURE_NAME = "__Host-postern-ticket";
    private static final int MOST = 4;
    /** Characters of one sealed ticket: base64url of key tag, nonce, {@link Ticket#LENGTH} and tag. */
    private static final int SEALED = ((1 + 12 + Ticket.LENGTH + 16) * 8 + 5) / 6;

    private final Seal seal;

    public TicketCookie(Seal seal) {
        this.seal = seal;
    }

    /** The ticket of this client for that room, or null. */
    public @Nullable Ticket read(RequestHead request, boolean secure, byte[] bound) {
        for (String sealed : sealed(request, secure)) {
            Ticket ticket = open(sealed, bound);
            if (ticket != null) {
                return ticket;
            }
        }
        return null;
    }

    /** A Set-Cookie value that holds the ticket, and those of other rooms that the request brought. */
    public String write(Ticket ticket, RequestHead request, boolean secure, byte[] bound) {
        StringBuilder value = new StringBuilder(seal.seal(ticket.bytes(), bound));
        int count = 1;
        for (String other : sealed(request, secure)) {
            if (count < MOST && open(other, bound) == null) {
                value.append('.').append(other);
                count++;
            }
        }
        String attributes = secure ? "; Path=/; Secure; HttpOnly; SameSite=Lax" : "; Path=/; HttpOnly; SameSite=Lax";
        return name(secure) + '=' + value + attributes;
    }

    private static String name(boolean secure) {
        return secure ? SECURE_NAME : NAME;
    }

    private @Nullable Ticket open(String sealed, byte[] bound) {
        byte[] plain = seal.open(sealed, bound);
        return plain == null ? null : Ticket.of(plain);
    }

    /** What may be a sealed ticket in the one cookie of our name; nothing where that comes twice, since one of them isn't ours. */
    private static List<String> sealed(RequestHead request, boolean secure) {
        String value = value(request, name(secure));
        List<String> sealed = new ArrayList<>(1);
        if (value == null || value.length() > MOST * (SEALED + 1)) {
            return sealed;
        }
        for (String part : value.split("\\.", -1)) {
            if (part.length() == SEALED) {
                sealed.add(part);
            }
        }
        return sealed;
    }

    private static @Nullable String value(RequestHead request, String name) {
        String found = null;
        for (int i = request.next(FieldName.COOKIE, 0); i >= 0; i = request.next(FieldName.COOKIE, i + 1)) {
            for (String pair : request.valueAt(i).split(";", -1)) {
                int equals = pair.indexOf('=');
                if (equals >= 0 && pair.substring(0, equals).trim().equals(name)) {
                    if (found != null) {
                        return null;
                    }
                    found = pair.substring(equals + 1).trim();
                }
            }
        }
        return found;
    }
}
