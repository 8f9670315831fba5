package dev.postern.auth.batch;

import dev.postern.auth.key.RsaKey;
import dev.postern.auth.token.Token;
import dev.postern.auth.verify.TestVector;
import java.math.BigInteger;
import java.util.Arrays;
import java.util.Objects;
import java.util.Random;

/**
 * Self-test of lanes before they are used: random numbers under random moduli have the same results as with {@link BigInteger}, and the
 * first vector of RFC 9578 appendix A.2 passes in each lane, and does not pass there with one bit changed.
 */
final class BatchSelfTest {

    private static final int RANDOM_CALLS = 2;
    private static final int TIMED = 50;
    private static final int ALL = (1 << RsaLanes.COUNT) - 1;

    private BatchSelfTest() {}

    private record Case(RsaKey key, Token token) implements SignedToken {}

    /** Runs the test and returns the number of checks per second; throws {@link IllegalStateException} when the lanes fail. */
    static double run(RsaLanes lanes) {
        for (int call = 0; call < RANDOM_CALLS; call++) {
            compare(lanes, new Random());
        }
        TestVector vector = TestVector.read();
        BatchVerifier verifier = new BatchVerifier(lanes);
        SignedToken good = new Case(vector.key(), vector.token());
        byte[] changed = vector.token().bytes().clone();
        changed[changed.length - 1] ^= 1;
        SignedToken bad = new Case(vector.key(), Objects.requireNonNull(Token.parse(changed)));
        SignedToken[] tokens = new SignedToken[RsaLanes.COUNT];
        for (int lane = 0; lane < RsaLanes.COUNT; lane++) {
            Arrays.fill(tokens, good);
            tokens[lane] = bad;
            expect(verifier, tokens, ALL & ~(1 << lane));
            Arrays.fill(tokens, bad);
            tokens[lane] = good;
            expect(verifier, tokens, 1 << lane);
        }
        Arrays.fill(tokens, good);
        long start = System.nanoTime();
        for (int i = 0; i < TIMED; i++) {
            expect(verifier, tokens, ALL);
        }
        return TIMED * RsaLanes.COUNT * 1e9 / (System.nanoTime() - start);
    }

    private static void expect(BatchVerifier verifier, SignedToken[] tokens, int expected) {
        int valid = verifier.verify(tokens, tokens.length);
        if (valid != expected) {
            throw new IllegalStateException("fails the self-test: accepts the lanes " + Integer.toBinaryString(valid)
                    + " (expected: " + Integer.toBinaryString(expected) + ")");
        }
    }

    /** Compares one call with random numbers; a lane in between is empty. */
    private static void compare(RsaLanes lanes, Random random) {
        BigInteger[] expected = new BigInteger[RsaLanes.COUNT];
        int empty = random.nextInt(RsaLanes.COUNT);
        for (int lane = 0; lane < RsaLanes.COUNT; lane++) {
            BigInteger modulus = new BigInteger(8 * RsaKey.LENGTH, random)
                    .setBit(8 * RsaKey.LENGTH - 1)
                    .setBit(0);
            BigInteger number = new BigInteger(8 * RsaKey.LENGTH, random).mod(modulus);
            expected[lane] = number.modPow(RsaKey.EXPONENT, modulus);
            lanes.fill(lane, RsaKey.of(modulus), unsigned(number), 0);
        }
        lanes.empty(empty);
        int computed = lanes.compute();
        if (computed != (ALL & ~(1 << empty))) {
            throw new IllegalStateException("fails the self-test: computes the lanes "
                    + Integer.toBinaryString(computed) + " (expected: all but lane " + empty + ")");
        }
        byte[] result = new byte[RsaKey.LENGTH];
        for (int lane = 0; lane < RsaLanes.COUNT; lane++) {
            lanes.result(lane, result);
            if (lane != empty && !new BigInteger(1, result).equals(expected[lane])) {
                throw new IllegalStateException("fails the self-test: lane " + lane + " computes a wrong power");
            }
        }
    }

    private static byte[] unsigned(BigInteger number) {
        byte[] signed = number.toByteArray();
        byte[] bytes = new byte[RsaKey.LENGTH];
        int length = Math.min(signed.length, bytes.length);
        System.arraycopy(signed, signed.length - length, bytes, bytes.length - length, length);
        return bytes;
    }
}
