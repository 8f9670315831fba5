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
 * Input for the credential of a row.
 *
 * @param form form of its request
 * @param token valid for that form and time, signed with the current key
 * @param challengeBytes encoded challenge of the token
 */
record Material(RequestForm form, Token token, byte[] challengeBytes, TokenMints mints, ForeignChallenges foreign) {

    /** Length of a token without its authenticator. */
    static final int SIGNED = 98;

    /** Offsets of the fields of a token (RFC 9577 section 2.2.1). */
    static final int NONCE = 2;

    static final int DIGEST = 34;
    static final int KEY_ID = 66;

    /** Returns the text of the valid token. */
    String text() {
        return token.encoded();
    }

    /** Returns a copy of the bytes of the valid token. */
    byte[] bytes() {
        return token.bytes().clone();
    }

    /** Returns the valid token with some bytes changed. */
    byte[] changed(Consumer<byte[]> change) {
        byte[] bytes = bytes();
        change.accept(bytes);
        return bytes;
    }

    /** Returns the bytes that the authenticator of the valid token signs. */
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
        return Objects.requireNonNull(TokenChallenge.decode(challengeBytes));
    }

    /** Returns the valid token with another authenticator. */
    byte[] withAuthenticator(byte[] authenticator) {
        return join(signed(), authenticator);
    }

    /** Returns a valid token with the same nonce for another challenge. */
    byte[] responding(byte[] challenge) {
        return digest(TokenChallenge.sha256(challenge));
    }

    /** Returns a valid token with the same nonce and that digest instead of a challenge's. */
    byte[] digest(Bytes32 digest) {
        return signedBy(
                mints.current(),
                Token.signedPart(
                        TokenType.BLIND_RSA,
                        nonce(),
                        digest,
                        mints.current().key().id()));
    }

    /** Returns a signed token with the same nonce and challenge and that key id, whichever key signs it. */
    byte[] keyId(Bytes32 id, TokenMint signer) {
        return signedBy(signer, Token.signedPart(TokenType.BLIND_RSA, nonce(), token.challengeDigest(), id));
    }

    byte[] signedBy(TokenMint signer, byte[] signed) {
        return join(signed, signer.sign(signed, 48));
    }

    /** Returns the line of the field with credentials. */
    String line(String value) {
        return form.field() + ": " + value + "\r\n";
    }

    /** Returns the line with {@code PrivateToken token="..."}. */
    String line(byte[] token) {
        return lineOf(Base64Url.encode(token));
    }

    /** Returns the line with any text instead of the token's. */
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
