package dev.postern.auth.voprf;

import java.math.BigInteger;
import java.security.SecureRandom;
import org.bouncycastle.asn1.x9.X9ECParameters;
import org.bouncycastle.crypto.ec.CustomNamedCurves;
import org.bouncycastle.math.ec.ECCurve;
import org.bouncycastle.math.ec.ECPoint;
import org.bouncycastle.util.BigIntegers;
import org.jspecify.annotations.Nullable;

/** P-384, the group of RFC 9497 section 4.4, with the encoding of its elements and scalars. Stateless and thread-safe. */
final class P384 {

    /** Bytes of an element in compressed form. */
    static final int ELEMENT = 49;

    /** Bytes of a scalar. */
    static final int SCALAR = 48;

    private static final X9ECParameters PARAMETERS = CustomNamedCurves.getByName("P-384");

    static final ECCurve CURVE = PARAMETERS.getCurve();
    static final BigInteger ORDER = PARAMETERS.getN();
    static final ECPoint GENERATOR = PARAMETERS.getG();

    private P384() {}

    /** Returns a random scalar that is not zero. */
    static BigInteger randomScalar(SecureRandom random) {
        return BigIntegers.createRandomInRange(BigInteger.ONE, ORDER.subtract(BigInteger.ONE), random);
    }

    /** Computes SerializeElement: compressed, 49 bytes; never the identity. */
    static byte[] encode(ECPoint element) {
        return element.normalize().getEncoded(true);
    }

    /** Computes SerializeScalar: 48 bytes. */
    static byte[] encode(BigInteger scalar) {
        return BigIntegers.asUnsignedByteArray(SCALAR, scalar);
    }

    /**
     * Computes DeserializeElement: null for the identity and for bytes that are not a compressed point of the curve. The group's order is
     * prime, so every other point generates it.
     */
    static @Nullable ECPoint element(byte[] bytes) {
        if (bytes.length != ELEMENT || bytes[0] != 2 && bytes[0] != 3) {
            return null;
        }
        try {
            return CURVE.decodePoint(bytes);
        } catch (IllegalArgumentException e) {
            return null; // no such x on the curve, or x not below the field's prime
        }
    }

    /** Computes DeserializeScalar: null for bytes that are not 48 bytes below the order. */
    static @Nullable BigInteger scalar(byte[] bytes) {
        BigInteger scalar = new BigInteger(1, bytes);
        return bytes.length == SCALAR && scalar.compareTo(ORDER) < 0 ? scalar : null;
    }
}
