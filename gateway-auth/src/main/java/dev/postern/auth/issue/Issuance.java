package dev.postern.auth.issue;

import dev.postern.auth.key.IssuerKey;
import dev.postern.auth.token.Bytes32;
import dev.postern.auth.verify.Verification;
import java.security.SecureRandom;

/** How tokens of a type are issued: the client's side and the issuer's (RFC 9578). */
public interface Issuance extends Verification {

    /** Bytes of the blinded message in a request: 256 for type 2. */
    int blindedLength();

    /** A token with a random nonce for that challenge, blinded. */
    PendingToken begin(IssuerKey key, Bytes32 challengeDigest, SecureRandom random);

    /** A fresh key for an issuer. */
    IssuingKey generate();
}
