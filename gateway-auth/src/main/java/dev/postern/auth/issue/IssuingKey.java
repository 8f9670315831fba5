package dev.postern.auth.issue;

import dev.postern.auth.key.IssuerKey;
import org.jspecify.annotations.Nullable;

/** A secret key of an issuer. Thread-safe. */
public interface IssuingKey {

    /** What the directory lists. */
    IssuerKey published();

    /** The response to a blinded message, checked before it is given out; null when no such message can be (422). */
    byte @Nullable [] sign(byte[] blinded);

    /** The file that lets a gateway check tokens of this key; empty where none is needed. */
    default String secretFile() {
        return "";
    }
}
