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
 * <p>{@link #LENGTH} bytes: version (1) | session (9) | epoch | ticket | seen | end | hard | home (8 each) | position (4).
 *
 * @param session session id of 12 characters: 9 random bytes in base64url. Not secret, since the cookie is sealed. Short, because Redis
 *     stores each id twice, but long enough for a million sessions
 * @param claim claim for a room that lost its memory
 * @param position last shown position; 0 for none
 * @param home network in which the session began, as {@code AddressPrefix.number} of it; 0 for sessions without a cookie. All tickets of
 *     the session have the same one, so that an old cookie is as good as a new one
 */
public record Ticket(String session, Claim claim, long position, long home) {

    private static final int NAME = 9;

    static final int LENGTH = 1 + NAME + 6 * 8 + 4;

    private static final byte VERSION = 3;
    private static final SecureRandom RANDOM = new SecureRandom();

    /** Returns the ticket of a new session that begins in that network. */
    public static Ticket fresh(long home) {
        byte[] session = new byte[NAME];
        RANDOM.nextBytes(session);
        return new Ticket(name(session), Claim.NONE, 0, home);
    }

    /** Returns the ticket of the same session after a decision. The shown position never increases while the place stays the same. */
    public Ticket after(AdmissionDecision decision) {
        AdmissionDecision.Snapshot room = decision.room();
        Claim now = new Claim(room.epoch(), decision.ticket(), room.now(), decision.end(), decision.hard());
        boolean same = decision.ticket() != 0 && decision.ticket() == claim.ticket() && position > 0;
        return new Ticket(session, now, same ? Math.min(position, decision.position()) : decision.position(), home);
    }

    /** Returns the ticket of the same session after a request at the given time, for which the store did not respond. */
    public Ticket seenAt(long now) {
        return new Ticket(
                session, new Claim(claim.epoch(), claim.ticket(), now, claim.end(), claim.hard()), position, home);
    }

    /** Returns the ticket of the same session with a pass. */
    public Ticket holding(Claim pass) {
        return new Ticket(session, pass, 0, home);
    }

    /** Returns whether this ticket gives its holder more than the other one: a pass that ends later, else a place further to the front. */
    boolean exceeds(Ticket other) {
        if (claim.end() != other.claim.end()) {
            return claim.end() > other.claim.end();
        }
        long mine = claim.ticket() > 0 ? claim.ticket() : Long.MAX_VALUE;
        long theirs = other.claim.ticket() > 0 ? other.claim.ticket() : Long.MAX_VALUE;
        return mine < theirs || mine == theirs && claim.seen() > other.claim.seen();
    }

    /**
     * Returns the ticket of the same session, without its place if the last request was at or before the given time: the room has not kept
     * the place, and a later loss of memory must not restore it.
     */
    public Ticket heardSince(long instant) {
        if (claim.ticket() == 0 || claim.seen() > instant) {
            return this;
        }
        return new Ticket(session, new Claim(claim.epoch(), 0, claim.seen(), claim.end(), claim.hard()), 0, home);
    }

    byte[] bytes() {
        ByteBuffer out = ByteBuffer.allocate(LENGTH);
        out.put(VERSION).put(Base64.getUrlDecoder().decode(session));
        out.putLong(claim.epoch()).putLong(claim.ticket()).putLong(claim.seen());
        out.putLong(claim.end()).putLong(claim.hard()).putLong(home);
        out.putInt((int) Math.min(position, Integer.MAX_VALUE));
        return out.array();
    }

    static @Nullable Ticket of(byte[] bytes) {
        if (bytes.length != LENGTH || bytes[0] != VERSION) {
            return null;
        }
        ByteBuffer in = ByteBuffer.wrap(bytes, 1 + NAME, LENGTH - 1 - NAME);
        Claim claim = new Claim(in.getLong(), in.getLong(), in.getLong(), in.getLong(), in.getLong());
        long home = in.getLong();
        return new Ticket(name(Arrays.copyOfRange(bytes, 1, 1 + NAME)), claim, in.getInt(), home);
    }

    private static String name(byte[] session) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(session);
    }
}
