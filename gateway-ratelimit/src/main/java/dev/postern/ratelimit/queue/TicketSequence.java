package dev.postern.ratelimit.queue;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HashMap;
import java.util.Map;

/**
 * Which ticket a newcomer gets, and so who goes before whom: in the order of coming, at random before an opening, or by shares.
 *
 * <p>Shares are self-clocked fair queueing (S. J. Golestani, 1994): a session is finished one step after the one before it of its tenant,
 * or after the one that was admitted last, whichever is later; the smaller the step, the more of a tenant fit between those of others.
 */
final class TicketSequence {

    /** How far before the opening the tickets of those lie who came before it: two to the 32nd microseconds. */
    private static final int SHUFFLE_BYTES = 4;

    private final Map<String, Long> finished = new HashMap<>();
    private long last;
    private long served;

    /** @param epoch when the room's memory begins: nobody is sorted in before those who may come back from before it */
    TicketSequence(long epoch) {
        served = epoch;
    }

    /** The clock, or one more than the last where the clock stood still. */
    long inOrder(long now) {
        last = Math.max(last + 1, now);
        return last;
    }

    /** A place among those who came before the opening that depends on nothing a session can choose; who comes later goes behind. */
    long shuffled(String session, long opens) {
        last = Math.max(last, opens - 1);
        byte[] digest = sha1(session + ':' + opens);
        long lot = 0;
        for (int i = 0; i < SHUFFLE_BYTES; i++) {
            lot = lot << 8 | digest[i] & 0xff;
        }
        return opens - 1 - lot;
    }

    /** @param idle whether nobody waits, so that nobody can be overtaken */
    long fair(TenantShare share, long now, boolean idle) {
        if (idle) {
            served = Math.max(served, now);
        }
        long ticket = Math.max(served, finished.getOrDefault(share.tenant(), 0L)) + share.step();
        finished.put(share.tenant(), ticket);
        return ticket;
    }

    /** Somebody is back with a ticket from before the room lost its memory: the next one of that tenant goes behind. */
    void restored(TenantShare share, long ticket) {
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
