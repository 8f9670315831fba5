package dev.postern.ratelimit.queue;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HashMap;
import java.util.Map;

/**
 * Ticket sequence that assigns tickets to new sessions and so defines their order: by arrival, at random before an opening, or by shares.
 *
 * <p>Shares are self-clocked fair queueing (S. J. Golestani, 1994): the finish tag of a session is one step after the tag of the previous
 * session of its tenant, or after the tag of the last admitted session, whichever is later. The smaller the step, the more sessions of a
 * tenant are between those of others.
 */
final class TicketSequence {

    /** Number of bytes of the random offset: tickets issued before the opening are up to 2^32 microseconds before the opening. */
    private static final int SHUFFLE_BYTES = 4;

    private final Map<String, Long> finished = new HashMap<>();
    private long last;
    private long served;

    /** @param epoch start of the room's memory: no new ticket is before it, since sessions may return with older tickets */
    TicketSequence(long epoch) {
        served = epoch;
    }

    /** Returns the time of the clock as a ticket, or the last ticket plus one if the clock has not advanced. */
    long inOrder(long now) {
        last = next(now);
        return last;
    }

    /** Returns the ticket that the next session in the order of arrival gets, which stays the next one. */
    long next(long now) {
        return Math.max(last + 1, now);
    }

    /** Returns a random ticket before the opening, computed from values that a client can't choose. Later sessions are behind. */
    long shuffled(String session, long opens) {
        last = Math.max(last, opens - 1);
        byte[] digest = sha1(session + ':' + opens);
        long lot = 0;
        for (int i = 0; i < SHUFFLE_BYTES; i++) {
            lot = lot << 8 | digest[i] & 0xff;
        }
        return opens - 1 - lot;
    }

    /** @param idle whether the queue is empty, so that no session can be overtaken */
    long fair(TenantShare share, long now, boolean idle) {
        if (idle) {
            served = Math.max(served, now);
        }
        long ticket = Math.max(served, finished.getOrDefault(share.tenant(), 0L)) + share.step();
        finished.put(share.tenant(), ticket);
        return ticket;
    }

    /** Takes a ticket from before a loss of memory, so that later ones, also of the same tenant, are behind, whatever the clock was before. */
    void restored(TenantShare share, long ticket) {
        last = Math.max(last, ticket);
        if (!share.tenant().isEmpty()) {
            finished.merge(share.tenant(), ticket, Math::max);
        }
    }

    void admitted(long ticket) {
        served = Math.max(served, ticket);
    }

    private static byte[] sha1(String text) {
        try {
            return MessageDigest.getInstance("SHA-1").digest(text.getBytes(US_ASCII));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("SHA-1 is missing, which every Java platform must have", e);
        }
    }
}
