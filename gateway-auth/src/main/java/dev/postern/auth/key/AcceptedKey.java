package dev.postern.auth.key;

import java.time.Instant;

/**
 * A key, whose it is and when its tokens pass.
 *
 * @param issuer name of the issuer
 * @param from clients must not use it before; {@link Instant#EPOCH} when nothing was said
 * @param until tokens no longer pass; {@link Instant#MAX} while the issuer lists it, {@link Instant#EPOCH} when an operator dropped it
 */
public record AcceptedKey(IssuerKey key, String issuer, Instant from, Instant until) {

    /** Whether the issuer lists it still, so that clients may ask for tokens under it. */
    public boolean listed() {
        return until.equals(Instant.MAX);
    }

    /** Whether an operator took it out, whatever the issuer says. */
    public boolean dropped() {
        return until.equals(Instant.EPOCH);
    }

    AcceptedKey drop() {
        return new AcceptedKey(key, issuer, from, Instant.EPOCH);
    }
}
