package dev.postern.auth.voprf;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.math.BigInteger;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import org.bouncycastle.math.ec.ECFieldElement;
import org.bouncycastle.math.ec.ECPoint;

/**
 * Hash from bytes to elements and scalars of P-384: P384_XMD:SHA-384_SSWU_RO_ and hash_to_field (RFC 9380 sections 5.2, 5.3.1, 6.6.2 and
 * 8.3). The input is known to client and gateway, so the time may depend on it. Stateless and thread-safe.
 */
final class HashToCurve {

    /** Bytes for each number below a prime of 384 bits: L in section 5.1. */
    private static final int FIELD_BYTES = 72;

    private static final int HASH_BYTES = 48;
    private static final int BLOCK_BYTES = 128;
    private static final BigInteger PRIME = P384.CURVE.getField().getCharacteristic();
    private static final ECFieldElement A = P384.CURVE.getA();
    private static final ECFieldElement B = P384.CURVE.getB();

    /** The constant of the map for this curve: -12 (section 8.3). */
    private static final ECFieldElement Z = P384.CURVE.fromBigInteger(PRIME.subtract(BigInteger.valueOf(12)));

    private HashToCurve() {}

    /** Computes hash_to_curve; the cofactor of P-384 is 1. */
    static ECPoint element(byte[] message, String tag) {
        byte[] uniform = expand(message, tag, 2 * FIELD_BYTES);
        ECPoint first = map(number(uniform, 0, PRIME));
        ECPoint second = map(number(uniform, FIELD_BYTES, PRIME));
        return first.add(second).normalize();
    }

    /** Computes hash_to_field with the group's order. */
    static BigInteger scalar(byte[] message, String tag) {
        return number(expand(message, tag, FIELD_BYTES), 0, P384.ORDER);
    }

    static MessageDigest sha384() {
        try {
            return MessageDigest.getInstance("SHA-384");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("SHA-384 is missing, which every Java platform must have", e);
        }
    }

    private static BigInteger number(byte[] uniform, int offset, BigInteger prime) {
        return new BigInteger(1, Arrays.copyOfRange(uniform, offset, offset + FIELD_BYTES)).mod(prime);
    }

    /** Computes expand_message_xmd with SHA-384. */
    static byte[] expand(byte[] message, String tag, int length) {
        byte[] name = tag.getBytes(US_ASCII);
        if (name.length > 255 || length > 255 * HASH_BYTES) {
            throw new IllegalArgumentException("expand: tag of " + name.length + " bytes, " + length
                    + " bytes asked for (expected: 255 and 12240 at most)");
        }
        MessageDigest hash = sha384();
        hash.update(new byte[BLOCK_BYTES]);
        hash.update(message);
        hash.update(new byte[] {(byte) (length >> 8), (byte) length, 0});
        byte[] first = tagged(hash, name);
        byte[] block = new byte[HASH_BYTES];
        byte[] uniform = new byte[length];
        for (int position = 0, i = 1; position < length; position += HASH_BYTES, i++) {
            for (int k = 0; k < HASH_BYTES; k++) {
                block[k] ^= first[k];
            }
            hash.update(block);
            hash.update((byte) i);
            block = tagged(hash, name);
            System.arraycopy(block, 0, uniform, position, Math.min(HASH_BYTES, length - position));
        }
        return uniform;
    }

    private static byte[] tagged(MessageDigest hash, byte[] name) {
        hash.update(name);
        hash.update((byte) name.length);
        return hash.digest();
    }

    /** Computes map_to_curve_simple_swu. */
    private static ECPoint map(BigInteger number) {
        ECFieldElement u = P384.CURVE.fromBigInteger(number);
        ECFieldElement zu2 = Z.multiply(u.square());
        ECFieldElement sum = zu2.square().add(zu2);
        ECFieldElement x1 = sum.isZero()
                ? B.divide(Z.multiply(A))
                : B.negate().divide(A).multiply(sum.invert().addOne());
        ECFieldElement x = x1;
        ECFieldElement y = right(x1).sqrt();
        if (y == null) { // gx1 is not a square, so gx2 is one
            x = zu2.multiply(x1);
            y = right(x).sqrt();
        }
        if (u.testBitZero() != y.testBitZero()) {
            y = y.negate();
        }
        return P384.CURVE.createPoint(x.toBigInteger(), y.toBigInteger());
    }

    /** Returns x^3 + A x + B. */
    private static ECFieldElement right(ECFieldElement x) {
        return x.square().add(A).multiply(x).add(B);
    }
}
