package dev.postern.auth.issue;

import dev.postern.auth.key.IssuerKey;
import dev.postern.auth.token.Bytes32;
import dev.postern.auth.verify.Verification;
import java.security.SecureRandom;

/** Issuance of tokens of a type: the client's side and the issuer's (RFC 9578). */
public interface Issuance extends Verification {

    /** Returns the length of the blinded message in a request, in bytes: 256 for type 2. */
    int blindedLength();

    /** Creates a token with a random nonce for that challenge, blinded. */
    PendingToken begin(IssuerKey key, Bytes32 challengeDigest, SecureRandom random);

    /** Generates a key for an issuer. */
    IssuingKey generate();
}
