package dev.postern.auth.verify;

import java.math.BigInteger;
import java.security.GeneralSecurityException;

/**
 * RSASSA-PSS-VERIFY with SHA-384 and MGF1-SHA-384 (RFC 8017 section 8.1.2) under one key and one salt length. Not thread-safe.
 */
@FunctionalInterface
interface RsaPss {

    boolean verify(byte[] message, int messageLength, byte[] signature, int signatureStart, int signatureLength);

    /** Makes such checks; the arithmetic of one provider. */
    @FunctionalInterface
    interface Maker {

        /** @param saltLength bytes, always given: a check that finds it out by itself accepts more than it should */
        RsaPss of(BigInteger modulus, BigInteger exponent, int saltLength) throws GeneralSecurityException;
    }
}
