package dev.postern.app.credential;

import dev.postern.auth.testing.TokenMint;
import dev.postern.auth.token.Token;
import java.math.BigInteger;

/**
 * Signers of tokens, with accepted and other keys.
 *
 * @param current key in the challenges
 * @param second another listed key of the same issuer
 * @param early listed key that is not valid yet
 * @param retired key that was listed before
 * @param revoked listed key that the operator has revoked
 * @param other key of the other issuer
 * @param unknown unknown key
 */
record TokenMints(
        TokenMint current,
        TokenMint second,
        TokenMint early,
        TokenMint retired,
        TokenMint revoked,
        TokenMint other,
        TokenMint unknown) {

    static TokenMints fresh() {
        return new TokenMints(
                smallModulus(),
                TokenMint.fresh(),
                TokenMint.fresh(),
                TokenMint.fresh(),
                TokenMint.fresh(),
                TokenMint.fresh(),
                TokenMint.fresh());
    }

    /** Creates a mint whose modulus is so far below 2^2048 that many signatures plus the modulus still fit into 256 bytes. */
    private static TokenMint smallModulus() {
        TokenMint mint = TokenMint.fresh();
        while (mint.key().modulus().testBit(2046)) {
            mint = TokenMint.fresh();
        }
        return mint;
    }

    /**
     * Creates a valid token whose text contains both letters that distinguish base64url from base64; one token in a thousand lacks one of
     * them.
     */
    Token good(byte[] challenge) {
        Token token = current.token(challenge);
        while (!token.encoded().contains("-") || !token.encoded().contains("_")) {
            token = current.token(challenge);
        }
        return token;
    }

    BigInteger modulus() {
        return current.key().modulus();
    }
}
