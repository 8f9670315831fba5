package dev.postern.ratelimit.waiting;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.postern.ratelimit.queue.AdmissionRequest.Claim;
import dev.postern.ratelimit.queue.RoomRules;
import dev.postern.ratelimit.store.RoomKey;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.Base64;

/**
 * Ticket binding: the room and the client for which a ticket counts. Bindings of different rooms or clients differ in their digests.
 *
 * @param suffix suffix of the room's cookie: a hash of the room's id, equal on all replicas and after a restart
 * @param digest hash of the room's id and of the client's properties
 * @param rules rules of the room, which tell how long a ticket is of use
 */
public record TicketBinding(String suffix, byte[] digest, RoomRules rules) {

    /** Length of the suffix in characters. */
    static final int SUFFIX = 8;

    /** Length of the digest in bytes. The digest is sealed with the ticket: to find a client with an equal one takes 2^64 tries. */
    static final int DIGEST = 8;

    /** @param client properties of the client, as {@code ClientBinding.bytes} returns them */
    public static TicketBinding of(RoomKey room, byte[] client) {
        byte[] id = room.id().getBytes(UTF_8);
        byte[] suffix = Arrays.copyOf(sha256(id, new byte[0]), SUFFIX * 6 / 8);
        return new TicketBinding(
                Base64.getUrlEncoder().withoutPadding().encodeToString(suffix),
                Arrays.copyOf(sha256(id, client), DIGEST),
                room.rules());
    }

    /** Returns the time after which the ticket is of no use, on the clock of the room. */
    long usefulUntil(Ticket ticket) {
        Claim claim = ticket.claim();
        if (claim.end() > 0) {
            // The room may have extended the pass since, by a part of the idle time that is not worth another cookie.
            return Math.min(claim.hard(), claim.end() + rules.idle() / 4);
        }
        return claim.ticket() != 0 ? claim.seen() + rules.keep() : claim.seen() + RoomRules.LEASE;
    }

    private static byte[] sha256(byte[] id, byte[] client) {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            digest.update(id);
            digest.update((byte) '\n'); // in no room id
            return digest.digest(client);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("SHA-256 is missing, which every Java platform must have", e);
        }
    }
}
