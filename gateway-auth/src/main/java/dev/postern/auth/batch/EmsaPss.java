package dev.postern.auth.batch;

import dev.postern.auth.key.RsaKey;
import java.security.DigestException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;

/**
 * EMSA-PSS-VERIFY (RFC 8017 section 9.1.2) for the keys of token type 2: 2048 bits, SHA-384, MGF1 with SHA-384, a salt of 48 bytes. The data
 * is public, so that times need not be constant. Allocates nothing per signature. Not thread-safe.
 */
final class EmsaPss {

    private static final int HASH = 48;
    private static final int SALT = 48;
    private static final int TRAILER = RsaKey.LENGTH - 1;
    private static final int MASKED = TRAILER - HASH;
    private static final int PADDING = MASKED - SALT - 1;
    private static final int BLOCKS = (MASKED + HASH - 1) / HASH;
    private static final int ZEROS = 8;

    private final MessageDigest sha384;
    /** Input of MGF1: the hash, and a counter of four bytes. */
    private final byte[] seed = new byte[HASH + 4];

    private final byte[] mask = new byte[BLOCKS * HASH];
    /** M' of RFC 8017: eight zeros, the hash of the message, the salt. */
    private final byte[] salted = new byte[ZEROS + HASH + SALT];

    private final byte[] expected = new byte[HASH];

    EmsaPss() {
        try {
            sha384 = MessageDigest.getInstance("SHA-384");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("SHA-384: not part of this Java", e);
        }
    }

    /**
     * Returns whether the encoded message is one of {@code message[0, length)}.
     *
     * @param encoded 256 bytes, overwritten
     */
    boolean verify(byte[] message, int length, byte[] encoded) {
        // The encoded message has 2047 bits, one less than the modulus.
        if (encoded[TRAILER] != (byte) 0xbc || encoded[0] < 0) {
            return false;
        }
        try {
            unmask(encoded);
            if (!padded(encoded)) {
                return false;
            }
            sha384.update(message, 0, length);
            sha384.digest(salted, ZEROS, HASH);
            System.arraycopy(encoded, MASKED - SALT, salted, ZEROS + HASH, SALT);
            sha384.update(salted, 0, salted.length);
            sha384.digest(expected, 0, HASH);
        } catch (DigestException e) {
            throw new IllegalStateException("SHA-384: " + e + " (expected: 48 bytes of output)", e);
        }
        return Arrays.equals(expected, 0, HASH, encoded, MASKED, TRAILER);
    }

    /** Removes the mask, which is MGF1 of the hash, from the data block {@code encoded[0, MASKED)}. */
    private void unmask(byte[] encoded) throws DigestException {
        System.arraycopy(encoded, MASKED, seed, 0, HASH);
        for (int i = 0; i < BLOCKS; i++) {
            seed[seed.length - 1] = (byte) i;
            sha384.update(seed, 0, seed.length);
            sha384.digest(mask, i * HASH, HASH);
        }
        for (int i = 0; i < MASKED; i++) {
            encoded[i] ^= mask[i];
        }
        encoded[0] &= 0x7f;
    }

    /** Returns whether the data block begins with zeros and 1, and the rest is a salt of the right length therefore. */
    private static boolean padded(byte[] block) {
        int bits = block[PADDING] ^ 1;
        for (int i = 0; i < PADDING; i++) {
            bits |= block[i];
        }
        return bits == 0;
    }
}
