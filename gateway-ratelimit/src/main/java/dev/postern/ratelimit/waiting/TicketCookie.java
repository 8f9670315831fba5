package dev.postern.ratelimit.waiting;

import dev.postern.core.crypto.SealedBox;
import dev.postern.core.http.Cookies;
import dev.postern.core.http.FieldName;
import dev.postern.core.http.RequestHead;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The sealed ticket cookie: one cookie per host, which holds the tickets of up to {@value #MAX} rooms, joined by dots.
 *
 * <p>Whatever isn't exactly what we gave, to this client and for this room, counts as absent. Thread-safe.
 */
public final class TicketCookie {

    private static final String NAME = "postern-ticket";
    private static final String SECURE_NAME = "__Host-postern-ticket";
    private static final FieldName PART = FieldName.of(NAME);
    private static final int MAX = 4;
    /** Characters of one sealed ticket: base64url of key tag, nonce, {@link Ticket#LENGTH} and tag. */
    private static final int SEALED = ((1 + 12 + Ticket.LENGTH + 16) * 8 + 5) / 6;

    private final SealedBox box;

    public TicketCookie(SealedBox box) {
        this.box = box;
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
        StringBuilder value = new StringBuilder(box.seal(ticket.bytes(), bound));
        int count = 1;
        for (String other : sealed(request, secure)) {
            if (count < MAX && open(other, bound) == null) {
                value.append('.').append(other);
                count++;
            }
        }
        String attributes = secure ? "; Path=/; Secure; HttpOnly; SameSite=Lax" : "; Path=/; HttpOnly; SameSite=Lax";
        return name(secure) + '=' + value + attributes;
    }

    /** Takes the cookie out of the request, good or not: who holds it holds the place. */
    public void strip(RequestHead request) {
        Cookies.remove(request, PART, name -> name.equals(NAME) || name.equals(SECURE_NAME));
    }

    private static String name(boolean secure) {
        return secure ? SECURE_NAME : NAME;
    }

    private @Nullable Ticket open(String sealed, byte[] bound) {
        byte[] plain = box.open(sealed, bound);
        return plain == null ? null : Ticket.of(plain);
    }

    /** What may be a sealed ticket in the one cookie of our name; nothing where that comes twice, since one of them isn't ours. */
    private static List<String> sealed(RequestHead request, boolean secure) {
        List<String> values = Cookies.values(request, name(secure), 2);
        List<String> sealed = new ArrayList<>(1);
        if (values.size() != 1 || values.get(0).length() > MAX * (SEALED + 1)) {
            return sealed;
        }
        for (String part : values.get(0).split("\\.", -1)) {
            if (part.length() == SEALED) {
                sealed.add(part);
            }
        }
        return sealed;
    }
}
