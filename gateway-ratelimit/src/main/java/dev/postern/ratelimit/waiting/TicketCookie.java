package dev.postern.ratelimit.waiting;

import dev.postern.core.crypto.SealedBox;
import dev.postern.core.http.HostCookie;
import dev.postern.core.http.RequestHead;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Ticket cookie: one sealed cookie per host, which holds the tickets of up to {@value #MAX} rooms, joined by dots.
 *
 * <p>A ticket that the gateway did not issue to this client for this room counts as absent. Thread-safe.
 */
public final class TicketCookie {

    private static final HostCookie COOKIE = new HostCookie("postern-ticket");
    private static final int MAX = 4;
    /** Length of one sealed ticket in characters: base64url of key tag, nonce, {@link Ticket#LENGTH} bytes and authentication tag. */
    private static final int SEALED = ((1 + 12 + Ticket.LENGTH + 16) * 8 + 5) / 6;

    private final SealedBox box;

    public TicketCookie(SealedBox box) {
        this.box = box;
    }

    /** Returns the ticket of the client for the room, or null. */
    public @Nullable Ticket read(RequestHead request, boolean secure, byte[] bound) {
        for (String sealed : sealed(request, secure)) {
            Ticket ticket = open(sealed, bound);
            if (ticket != null) {
                return ticket;
            }
        }
        return null;
    }

    /** Returns a Set-Cookie value with the ticket, and with the tickets of other rooms from the request. */
    public String write(Ticket ticket, RequestHead request, boolean secure, byte[] bound) {
        StringBuilder value = new StringBuilder(box.seal(ticket.bytes(), bound));
        int count = 1;
        for (String other : sealed(request, secure)) {
            if (count < MAX && open(other, bound) == null) {
                value.append('.').append(other);
                count++;
            }
        }
        return COOKIE.set(value.toString(), secure, null);
    }

    /** Removes the cookie from the request, valid or not, since a holder of the cookie could use the place. */
    public void strip(RequestHead request) {
        COOKIE.remove(request);
    }

    private @Nullable Ticket open(String sealed, byte[] bound) {
        byte[] plain = box.open(sealed, bound);
        return plain == null ? null : Ticket.of(plain);
    }

    /** Returns the possible sealed tickets of the cookie; none if the cookie occurs twice, since the gateway sets only one. */
    private static List<String> sealed(RequestHead request, boolean secure) {
        List<String> values = COOKIE.values(request, secure, 2);
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
