package dev.postern.auth.fuzz;

import dev.postern.auth.key.IssuerKey;
import dev.postern.auth.key.RsaKey;
import dev.postern.auth.token.TokenChallenge;
import dev.postern.auth.token.TokenType;
import java.util.Arrays;

/** The SubjectPublicKeyInfo of a token key (RFC 9578 section 6.5): only what every verifier reads alike. */
public final class TokenKeyFuzz {

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
    }
}
