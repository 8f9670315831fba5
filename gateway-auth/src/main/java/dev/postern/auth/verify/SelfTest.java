package dev.postern.auth.verify;

import dev.postern.auth.key.RsaKey;
import dev.postern.core.transport.FailureText;
import java.math.BigInteger;
import java.security.GeneralSecurityException;

/**
 * Self-test of a provider before it is used: the first vector of RFC 9578 appendix A.2 must pass, and must not pass with one bit changed or
 * under another salt length.
 */
final class SelfTest {

    private static final int SIGNED = 98;
    private static final int TIMED = 200;

    private SelfTest() {}

    /** Runs the test and returns the number of checks per second; throws {@link IllegalStateException} when the provider fails. */
    static double run(RsaPss.Maker maker) {
        TestVector vector = TestVector.read();
        BigInteger modulus = vector.key().modulus();
        byte[] token = vector.token().bytes();
        try {
            RsaPss check = maker.of(modulus, RsaKey.EXPONENT, 48);
            expect(check, token, true, "a good signature");
            for (int offset : new int[] {0, 1, SIGNED - 1, SIGNED + 7, token.length - 1}) {
                token[offset] ^= 1;
                expect(check, token, false, "a token with one bit changed");
                token[offset] ^= 1;
            }
            expect(check, token, true, "a good signature after bad ones");
            expect(maker.of(modulus, RsaKey.EXPONENT, 0), token, false, "another salt length");
            long start = System.nanoTime();
            for (int i = 0; i < TIMED; i++) {
                expect(check, token, true, "a good signature, again");
            }
            return TIMED * 1e9 / (System.nanoTime() - start);
        } catch (GeneralSecurityException | RuntimeException e) {
            throw e instanceof IllegalStateException failed
                    ? failed
                    : new IllegalStateException("fails: " + FailureText.of(e), e);
        }
    }

    private static void expect(RsaPss check, byte[] token, boolean good, String subject) {
        if (check.verify(token, SIGNED, token, SIGNED, token.length - SIGNED) != good) {
            throw new IllegalStateException("fails the self-test: " + subject + " " + (good ? "refused" : "accepted"));
        }
    }
}
