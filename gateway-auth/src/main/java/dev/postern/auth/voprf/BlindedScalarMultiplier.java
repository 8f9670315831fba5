package dev.postern.auth.voprf;

import java.math.BigInteger;
import java.security.SecureRandom;
import org.bouncycastle.math.ec.ECLookupTable;
import org.bouncycastle.math.ec.ECPoint;

/**
 * Multiplier of points by secret scalars; neither time nor memory access depends on the scalar: a random multiple of the order is added to
 * it, so that no two computations use the same digits, and each digit costs the same doublings, one lookup that reads the whole table, and
 * one addition.
 *
 * <p>The digits are odd, between -31 and 31 (Joye and Tunstall, regular recoding), so none is zero and no step is skipped. As thread-safe
 * as its source of randomness.
 */
final class BlindedScalarMultiplier {

    /** Bits of the random factor: twice the bits that guessing it should cost. */
    private static final int BLIND_BITS = 64;

    private static final int WIDTH = 5;
    private static final int ODD_MULTIPLES = 1 << WIDTH - 1;
    private static final int DIGITS = (384 + BLIND_BITS + WIDTH) / WIDTH + 1;

    private final SecureRandom random;

    BlindedScalarMultiplier(SecureRandom random) {
        this.random = random;
    }

    /**
     * Returns {@code secret * point}.
     *
     * @param secret 0 to the order
     * @param point of the curve, not the identity
     */
    ECPoint of(BigInteger secret, ECPoint point) {
        int[] digits = digits(blinded(secret));
        ECLookupTable table = oddMultiples(point);
        ECPoint sum = lookUp(table, digits[DIGITS - 1]);
        for (int i = DIGITS - 2; i >= 0; i--) {
            for (int k = 0; k < WIDTH; k++) {
                sum = sum.twice();
            }
            sum = sum.add(lookUp(table, digits[i]));
        }
        return sum.normalize();
    }

    /** Returns an odd number that equals the scalar modulo the order. */
    private BigInteger blinded(BigInteger secret) {
        BigInteger factor = new BigInteger(BLIND_BITS, random).setBit(BLIND_BITS);
        // The order is odd, so adding it once more changes the parity; both candidates are computed.
        BigInteger[] candidates = new BigInteger[2];
        BigInteger even = secret.add(P384.ORDER.multiply(factor));
        BigInteger odd = even.add(P384.ORDER);
        int parity = even.testBit(0) ? 1 : 0;
        candidates[parity] = even;
        candidates[1 - parity] = odd;
        return candidates[1];
    }

    /** Returns the digits, least significant first; the sum of {@code digit * 32^i} is the number, which is odd. */
    private static int[] digits(BigInteger odd) {
        int[] digits = new int[DIGITS];
        BigInteger rest = odd;
        for (int i = 0; i < DIGITS - 1; i++) {
            int low = rest.intValue() & (1 << WIDTH + 1) - 1;
            digits[i] = low - (1 << WIDTH);
            rest = rest.subtract(BigInteger.valueOf(digits[i])).shiftRight(WIDTH);
        }
        digits[DIGITS - 1] = rest.intValue();
        return digits;
    }

    /** Returns -31, -29 ... 29, 31 times the point, in a table whose lookups read all entries. */
    private static ECLookupTable oddMultiples(ECPoint point) {
        ECPoint[] multiples = new ECPoint[2 * ODD_MULTIPLES];
        ECPoint twice = point.twice();
        ECPoint multiple = point;
        for (int i = 0; i < ODD_MULTIPLES; i++) {
            multiples[ODD_MULTIPLES + i] = multiple;
            multiple = multiple.add(twice);
        }
        ECPoint[] positive = new ECPoint[ODD_MULTIPLES];
        System.arraycopy(multiples, ODD_MULTIPLES, positive, 0, ODD_MULTIPLES);
        P384.CURVE.normalizeAll(positive);
        for (int i = 0; i < ODD_MULTIPLES; i++) {
            multiples[ODD_MULTIPLES + i] = positive[i];
            multiples[ODD_MULTIPLES - 1 - i] = positive[i].negate();
        }
        return P384.CURVE.createCacheSafeLookupTable(multiples, 0, multiples.length);
    }

    private static ECPoint lookUp(ECLookupTable table, int digit) {
        return table.lookup(digit + 2 * ODD_MULTIPLES - 1 >> 1);
    }
}
