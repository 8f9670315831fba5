package dev.postern.auth.fuzz;

import dev.postern.auth.key.IssuerKey;
import dev.postern.auth.key.RsaKey;
import dev.postern.auth.token.TokenType;
import java.math.BigInteger;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.interfaces.RSAPublicKey;
import java.security.spec.X509EncodedKeySpec;
import java.util.Arrays;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Fuzzes the parser of a token key (RFC 9578 section 6.5): it accepts exactly the four encodings that RFC 4055 permits, which every verifier
 * reads alike. Each input is read as a complete key, as the content of each element, and as bytes after each element.
 */
public final class TokenKeyFuzz {

    /** Length of the shortest of the four encodings, and of the bytes after its modulus. */
    private static final int SHORTEST = 342;

    private static final int EXPONENT = 5;

    private TokenKeyFuzz() {}

    public static void fuzzerTestOneInput(byte[] input) {
        accepts(input);
    }

    /** Checks the invariants; returns whether the input is a key. */
    static boolean accepts(byte[] input) {
        for (UnaryOperator<byte[]> frame : Spki.FRAMES) {
            read(frame.apply(input));
        }
        return read(input);
    }

    private static boolean read(byte[] encoded) {
        IssuerKey key = FuzzCheck.readKey(TokenType.BLIND_RSA, encoded);
        BigInteger modulus = modulus(encoded);
        FuzzCheck.hold((key != null) == (modulus != null), "a key if it is spelled as keys are");
        if (key == null || modulus == null) {
            return false;
        }
        FuzzCheck.hold(((RsaKey) key).modulus().equals(modulus), "the modulus that stands there");
        FuzzCheck.hold(modulus.equals(platform(encoded)), "the modulus that Java reads");
        FuzzCheck.hold(RsaKey.of(modulus).modulus().equals(modulus), "the modulus there and back");
        return true;
    }

    /** Returns the modulus of 2048 bits in one of the four encodings; null for anything else. */
    private static @Nullable BigInteger modulus(byte[] encoded) {
        if (encoded.length < SHORTEST) {
            return null;
        }
        int end = encoded.length - EXPONENT;
        BigInteger modulus = new BigInteger(1, Arrays.copyOfRange(encoded, end - RsaKey.LENGTH, end));
        boolean spelled = modulus.bitLength() == 2048
                && modulus.testBit(0)
                && Spki.allOf(modulus).stream().anyMatch(known -> Arrays.equals(known, encoded));
        return spelled ? modulus : null;
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
