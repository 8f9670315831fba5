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
import java.util.function.UnaryOperator;

/**
 * The SubjectPublicKeyInfo of a token key (RFC 9578 section 6.5): only what every verifier reads alike. Each input is read as a whole key,
 * as the content of each part of one, and as what stands behind each part.
 */
public final class TokenKeyFuzz {

    private TokenKeyFuzz() {}

    public static void fuzzerTestOneInput(byte[] input) {
        read(input);
        for (UnaryOperator<byte[]> frame : Spki.FRAMES) {
            read(frame.apply(input));
        }
    }

    private static void read(byte[] encoded) {
        IssuerKey key;
        try {
            key = IssuerKey.read(TokenType.BLIND_RSA, encoded);
        } catch (IllegalArgumentException e) {
            return;
        }
        Must.hold(Arrays.equals(key.encoded(), encoded), "the bytes as published");
        Must.hold(key.id().equals(TokenChallenge.sha256(encoded)), "the id of those bytes");
        BigInteger modulus = ((RsaKey) key).modulus();
        Must.hold(modulus.bitLength() == 2048, "2048 bits");
        Must.hold(modulus.testBit(0), "an odd modulus");
        Must.hold(modulus.equals(platform(encoded)), "the modulus that Java reads");
        Must.hold(
                Spki.allOf(modulus).stream().anyMatch(known -> Arrays.equals(known, encoded)),
                "one of the four encodings of that key");
    }

    private static BigInteger platform(byte[] encoded) {
        try {
            X509EncodedKeySpec spec = new X509EncodedKeySpec(encoded);
            return ((RSAPublicKey) KeyFactory.getInstance("RSASSA-PSS").generatePublic(spec)).getModulus();
        } catch (GeneralSecurityException e) {
            throw new AssertionError("does not hold: a key that Java reads", e);
        }
    }
}
