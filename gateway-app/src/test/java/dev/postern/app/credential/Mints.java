package dev.postern.app.credential;

import dev.postern.auth.testing.TokenMint;
import dev.postern.auth.token.Token;
import java.math.BigInteger;

/**
 * Whoever signs tokens, rightly or not.
 *
 * @param current the key that clients are told to use
 * @param second another key that the same issuer lists
 * @param early one that it lists for a time to come
 * @param retired one that it has listed and lists no more
 * @param revoked one that it lists and the operator has revoked
 * @param other the key of the other issuer
 * @param stranger nobody's
 */
record Mints(
        TokenMint current,
        TokenMint second,
        TokenMint early,
        TokenMint retired,
        TokenMint revoked,
        TokenMint other,
        TokenMint stranger) {

    static Mints fresh() {
        return new Mints(
                roomy(),
                TokenMint.fresh(),
                TokenMint.fresh(),
                TokenMint.fresh(),
                TokenMint.fresh(),
                TokenMint.fresh(),
                TokenMint.fresh());
    }

    /** With a modulus far enough below 2^2048 that many signatures still fit into 256 bytes with it added. */
    private static TokenMint roomy() {
        TokenMint mint = TokenMint.fresh();
        while (mint.key().modulus().testBit(2046)) {
            mint = TokenMint.fresh();
        }
        return mint;
    }

    /** A good token with both letters in its text that tell base64url from base64; one in a thousand lacks one of them. */
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
