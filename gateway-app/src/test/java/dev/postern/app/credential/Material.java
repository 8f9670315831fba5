package dev.postern.app.credential;

import dev.postern.auth.testing.TokenMint;
import dev.postern.auth.token.Base64Url;
import dev.postern.auth.token.Bytes32;
import dev.postern.auth.token.Token;
import dev.postern.auth.token.TokenChallenge;
import dev.postern.auth.token.TokenType;
import java.util.Arrays;
import java.util.Objects;
import java.util.function.Consumer;

/**
 * What a row makes its credential of.
 *
 * @param door where it will be presented
 * @param token good there and then, signed by the current key
 * @param asked the challenge that it responds, encoded
 */
record Material(Door door, Token token, byte[] asked, Mints mints, Elsewhere elsewhere) {

    /** Bytes before the authenticator. */
    static final int SIGNED = 98;

    /** Where the parts of a token begin (RFC 9577 section 2.2.1). */
    static final int NONCE = 2;

    static final int DIGEST = 34;
    static final int KEY_ID = 66;

    /** The good token as text. */
    String text() {
        return token.encoded();
    }

    /** The good token's bytes, to be changed at will. */
    byte[] bytes() {
        return token.bytes().clone();
    }

    /** The good token with some bytes changed. */
    byte[] changed(Consumer<byte[]> change) {
        byte[] bytes = bytes();
        change.accept(bytes);
        return bytes;
    }

    /** What the authenticator of the good token speaks for. */
    byte[] signed() {
        return Arrays.copyOf(token.bytes(), SIGNED);
    }

    byte[] nonce() {
        return Arrays.copyOfRange(token.bytes(), NONCE, DIGEST);
    }

    byte[] authenticator() {
        return Arrays.copyOfRange(token.bytes(), SIGNED, token.bytes().length);
    }

    TokenChallenge challenge() {
        return Objects.requireNonNull(TokenChallenge.decode(asked));
    }

    /** The good token under another authenticator. */
    byte[] under(byte[] authenticator) {
        return join(signed(), authenticator);
    }

    /** A whole token with the same nonce for another challenge. */
    byte[] responding(byte[] challenge) {
        return digest(TokenChallenge.sha256(challenge));
    }

    /** A whole token with the same nonce and that digest in place of a challenge's. */
    byte[] digest(Bytes32 digest) {
        return signedBy(
                mints.current(),
                Token.signedPart(
                        TokenType.BLIND_RSA,
                        nonce(),
                        digest,
                        mints.current().key().id()));
    }

    /** A whole token with the same nonce and challenge under that key id, whoever signs it. */
    byte[] keyId(Bytes32 id, TokenMint signer) {
        return signedBy(signer, Token.signedPart(TokenType.BLIND_RSA, nonce(), token.challengeDigest(), id));
    }

    byte[] signedBy(TokenMint signer, byte[] signed) {
        return join(signed, signer.sign(signed, 48));
    }

    /** The line of the field that credentials stand in. */
    String line(String value) {
        return door.field() + ": " + value + "\r\n";
    }

    /** The line with {@code PrivateToken token="..."}. */
    String line(byte[] token) {
        return lineOf(Base64Url.encode(token));
    }

    /** The same with any text in place of the token's. */
    String lineOf(String text) {
        return line("PrivateToken token=\"" + text + "\"");
    }

    static byte[] join(byte[]... parts) {
        int length = 0;
        for (byte[] part : parts) {
            length += part.length;
        }
        byte[] joined = new byte[length];
        int offset = 0;
        for (byte[] part : parts) {
            System.arraycopy(part, 0, joined, offset, part.length);
            offset += part.length;
        }
        return joined;
    }
}
