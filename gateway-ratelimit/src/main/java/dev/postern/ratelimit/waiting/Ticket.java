package dev.postern.ratelimit.waiting;

import dev.postern.ratelimit.queue.AdmissionDecision;
import dev.postern.ratelimit.queue.AdmissionRequest.Claim;
import java.nio.ByteBuffer;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.Base64;
import org.jspecify.annotations.Nullable;

/**
 * Ticket of a session: the session id and the room's last decision, stored in a cookie. Times are microseconds of the room's clock.
 *
 * <p>{@link #LENGTH} bytes: version (1) | session (9) | epoch | ticket | seen | end | hard (8 each) | position (4).
 *
 * @param session session id of 12 characters: 9 random bytes in base64url. Not secret, since the cookie is sealed. Short, because Redis
 *     stores each id twice, but long enough for a million sessions
 * @param claim claim for a room that lost its memory
 * @param position last shown position; 0 for none
 */
public record Ticket(String session, Claim claim, long position) {

    private static final int NAME = 9;

    static final int LENGTH = 1 + NAME + 5 * 8 + 4;

    private static final byte VERSION = 2;
    private static final SecureRandom RANDOM = new SecureRandom();

    /** Returns the ticket of a new session. */
    public static Ticket fresh() {
        byte[] session = new byte[NAME];
        RANDOM.nextBytes(session);
        return new Ticket(name(session), Claim.NONE, 0);
    }

    /** Returns the ticket of the same session after a decision. The shown position never increases while the place stays the same. */
    public Ticket after(AdmissionDecision decision) {
        AdmissionDecision.Snapshot room = decision.room();
        Claim now = new Claim(room.epoch(), decision.ticket(), room.now(), decision.end(), decision.hard());
        boolean same = decision.ticket() != 0 && decision.ticket() == claim.ticket() && position > 0;
        return new Ticket(session, now, same ? Math.min(position, decision.position()) : decision.position());
    }

    /** Returns the ticket of the same session after a request at the given time, for which the store did not respond. */
    public Ticket seenAt(long now) {
        return new Ticket(session, new Claim(claim.epoch(), claim.ticket(), now, claim.end(), claim.hard()), position);
    }

    byte[] bytes() {
        ByteBuffer out = ByteBuffer.allocate(LENGTH);
        out.put(VERSION).put(Base64.getUrlDecoder().decode(session));
        out.putLong(claim.epoch()).putLong(claim.ticket()).putLong(claim.seen());
        out.putLong(claim.end()).putLong(claim.hard()).putInt((int) Math.min(position, Integer.MAX_VALUE));
        return out.array();
    }

    static @Nullable Ticket of(byte[] bytes) {
        if (bytes.length != LENGTH || bytes[0] != VERSION) {
            return null;
        }
        ByteBuffer in = ByteBuffer.wrap(bytes, 1 + NAME, LENGTH - 1 - NAME);
        Claim claim = new Claim(in.getLong(), in.getLong(), in.getLong(), in.getLong(), in.getLong());
        return new Ticket(name(Arrays.copyOfRange(bytes, 1, 1 + NAME)), claim, in.getInt());
    }

    private static String name(byte[] session) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(session);
    }
}
