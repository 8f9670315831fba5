package dev.postern.core.tls;

import dev.postern.core.crypto.KeyRing;
import io.netty.handler.ssl.OpenSslSessionTicketKey;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;

/**
 * Session tickets of a listener (RFC 5077, RFC 8446 section 4.6.1): their keys, derived from the key ring, so that all replicas resume each
 * other's sessions. The newest secret seals, all secrets open.
 *
 * <p>The keys also depend on the listener's certificates, private keys and authorities: a session resumes only where its handshake would
 * have had the same result. Otherwise a client could take a session to a listener that requires a certificate.
 */
final class SessionTickets {

    private static final int PART = OpenSslSessionTicketKey.NAME_SIZE;

    private SessionTickets() {}

    /** @param identity digest of what a handshake with the listener depends on */
    static OpenSslSessionTicketKey[] keys(KeyRing ring, byte[] identity) {
        String listener = HexFormat.of().formatHex(identity);
        List<byte[]> names = ring.keys("tls-ticket-name:" + listener);
        List<byte[]> secrets = ring.keys("tls-ticket:" + listener);
        OpenSslSessionTicketKey[] keys = new OpenSslSessionTicketKey[secrets.size()];
        for (int i = 0; i < keys.length; i++) {
            byte[] secret = secrets.get(i);
            keys[i] = new OpenSslSessionTicketKey(
                    Arrays.copyOf(names.get(i), PART),
                    Arrays.copyOf(secret, PART),
                    Arrays.copyOfRange(secret, PART, 2 * PART));
        }
        return keys;
    }
}
