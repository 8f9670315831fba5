package dev.postern.auth.fuzz;

import dev.postern.auth.key.IssuerKey;
import dev.postern.auth.token.TokenType;
import java.math.BigInteger;
import java.util.Arrays;
import java.util.Objects;

/** Fuzzes the parser of a token key of type 1 (RFC 9578 section 5.5): it accepts exactly the compressed points of the curve. */
public final class VoprfKeyFuzz {

    private static final TokenType VOPRF = Objects.requireNonNull(TokenType.of(1), "VOPRF");

    /** P-384 (SEC 2 section 2.5.1), defined independently. */
    private static final BigInteger PRIME =
            power(384).subtract(power(128)).subtract(power(96)).add(power(32)).subtract(BigInteger.ONE);

    private static final BigInteger B = new BigInteger(
            "b3312fa7e23ee7e4988e056be3f82d19181d9c6efe8141120314088f5013875ac656398d8a2ed19d2a85c8edd3ec2aef", 16);

    private VoprfKeyFuzz() {}

    public static void fuzzerTestOneInput(byte[] input) {
        accepts(input);
    }

    /** Checks the invariants; returns whether the input is a key. */
    static boolean accepts(byte[] input) {
        IssuerKey key = FuzzCheck.readKey(VOPRF, input);
        FuzzCheck.hold((key != null) == isPoint(input), "a key if it lies on the curve");
        FuzzCheck.hold(key == null || !key.verifiable(), "a key without its secret");
        return key != null;
    }

    /** Returns whether the input is a compressed point: x^3 - 3x + b is a square (SEC 1 section 2.3.4). */
    private static boolean isPoint(byte[] input) {
        if (input.length != 49 || input[0] != 2 && input[0] != 3) {
            return false;
        }
        BigInteger x = new BigInteger(1, Arrays.copyOfRange(input, 1, 49));
        BigInteger square = x.pow(3).subtract(x.multiply(BigInteger.valueOf(3))).add(B);
        return x.compareTo(PRIME) < 0
                && square.modPow(PRIME.subtract(BigInteger.ONE).shiftRight(1), PRIME)
                        .equals(BigInteger.ONE);
    }

    private static BigInteger power(int bits) {
        return BigInteger.ONE.shiftLeft(bits);
    }
}
