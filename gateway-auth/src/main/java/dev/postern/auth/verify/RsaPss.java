package dev.postern.auth.verify;

import java.math.BigInteger;
import java.security.GeneralSecurityException;

/**
 * RSASSA-PSS-VERIFY with SHA-384 and MGF1-SHA-384 (RFC 8017 section 8.1.2) under one key and one salt length. Not thread-safe.
 */
@FunctionalInterface
interface RsaPss {

    boolean verify(byte[] message, int messageLength, byte[] signature, int signatureStart, int signatureLength);

    /** Maker of such checks, for one provider. */
    @FunctionalInterface
    interface Maker {

        /** @param saltLength in bytes, always given: a check that detects the length itself accepts too much */
        RsaPss of(BigInteger modulus, BigInteger exponent, int saltLength) throws GeneralSecurityException;
    }
}
