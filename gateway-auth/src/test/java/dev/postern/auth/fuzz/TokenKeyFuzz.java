package dev.postern.auth.fuzz;

import dev.postern.auth.key.IssuerKey;
import dev.postern.auth.key.RsaKey;
import dev.postern.auth.token.TokenChallenge;
import dev.postern.auth.token.TokenType;
import java.math.BigInteger;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.interfaces.RSAPublicKey;
import java.security.spec.X509EncodedKeySpec;
import java.util.Arrays;

/** The SubjectPublicKeyInfo of a token key (RFC 9578 section 6.5): only what every verifier reads alike. */
public final class TokenKeyFuzz {

    /** The form of RFC 9578, and two bytes for each of the two NULLs that RFC 4055 allows. */
    private static final int LONGEST = 342 + 2 * 2;

    private TokenKeyFuzz() {}

    public static void fuzzerTestOneInput(byte[] input) {
        IssuerKey key;
        try {
            key = IssuerKey.read(TokenType.BLIND_RSA, input);
        } catch (IllegalArgumentException e) {
            return;
        }
        Must.hold(Arrays.equals(key.encoded(), input), "the bytes as published");
        Must.hold(key.id().equals(TokenChallenge.sha256(input)), "the id of those bytes");
        Must.hold(key instanceof RsaKey rsa && rsa.modulus().bitLength() == 2048, "2048 bits");
        Must.hold(key instanceof RsaKey rsa && rsa.modulus().testBit(0), "an odd modulus");
        Must.hold(input.length <= LONGEST, "nothing after the key");
        Must.hold(key instanceof RsaKey rsa && rsa.modulus().equals(platform(input)), "the modulus that Java reads");
    }

    private static BigInteger platform(byte[] input) {
        try {
            return ((RSAPublicKey) KeyFactory.getInstance("RSASSA-PSS").generatePublic(new X509EncodedKeySpec(input)))
                    .getModulus();
        } catch (GeneralSecurityException e) {
            throw new AssertionError("does not hold: a key that Java reads", e);
        }
    }
}
