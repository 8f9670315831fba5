package dev.postern.auth.key;

import java.time.Instant;

/**
 * Accepted key of an issuer, with the time in which its tokens pass.
 *
 * @param issuer name of the issuer
 * @param from clients must not use the key before; {@link Instant#EPOCH} when the directory has no {@code not-before}
 * @param until tokens no longer pass; {@link Instant#MAX} while the issuer lists the key, {@link Instant#EPOCH} when an operator dropped it
 */
public record AcceptedKey(IssuerKey key, String issuer, Instant from, Instant until) {

    /** Returns whether the issuer still lists the key, so that clients may request tokens under it. */
    public boolean listed() {
        return until.equals(Instant.MAX);
    }

    /** Returns whether an operator dropped the key, regardless of the issuer. */
    public boolean dropped() {
        return until.equals(Instant.EPOCH);
    }

    AcceptedKey drop() {
        return new AcceptedKey(key, issuer, from, Instant.EPOCH);
    }
}
