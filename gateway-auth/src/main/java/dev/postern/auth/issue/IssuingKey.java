package dev.postern.auth.issue;

import dev.postern.auth.key.IssuerKey;
import org.jspecify.annotations.Nullable;

/** Issuing key: the secret key of an issuer. Thread-safe. */
public interface IssuingKey {

    /** Returns the public key that the directory lists. */
    IssuerKey published();

    /** Returns the response to a blinded message, checked before it is returned; null when the message is invalid (422). */
    byte @Nullable [] sign(byte[] blinded);

    /** Returns the content of the file with which a gateway can verify tokens of this key; empty when none is needed. */
    default String secretFile() {
        return "";
    }
}
