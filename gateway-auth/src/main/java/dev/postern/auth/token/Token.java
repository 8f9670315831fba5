package dev.postern.auth.token;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Token as received: type, nonce, challenge digest, token key id, authenticator (RFC 9577 section 2.2.1). Well-formed, but not verified.
 *
 * <p>Immutable by agreement: {@link #bytes()} is not copied, since signatures are verified over it in place.
 */
public final class Token {

    private static final int NONCE = 2;
    private static final int DIGEST = 34;
    private static final int KEY_ID = 66;

    private final TokenType type;
    private final byte[] bytes;

    private Token(TokenType type, byte[] bytes) {
        this.type = type;
        this.bytes = bytes;
    }

    /** Parses the bytes, which the token keeps. Returns null when they are not exactly one token of a known type. */
    public static @Nullable Token parse(byte[] bytes) {
        TokenType type = bytes.length < 2 ? null : TokenType.of(typeOf(bytes));
        return type == null || bytes.length != type.tokenLength() ? null : new Token(type, bytes);
    }

    /** Creates a token from its signed part and the authenticator. */
    public static Token of(byte[] signed, byte[] authenticator) {
        byte[] bytes = Arrays.copyOf(signed, signed.length + authenticator.length);
        System.arraycopy(authenticator, 0, bytes, signed.length, authenticator.length);
        Token token = parse(bytes);
        if (token == null) {
            throw new IllegalArgumentException("token: " + bytes.length + " bytes (expected: one of a known type)");
        }
        return token;
    }

    /**
     * Returns the part that the authenticator covers, for types with a key id of 32 bytes.
     *
     * @param nonce 32 bytes
     */
    public static byte[] signedPart(TokenType type, byte[] nonce, Bytes32 challengeDigest, Bytes32 keyId) {
        byte[] signed = new byte[type.signedLength()];
        signed[0] = (byte) (type.value() >> 8);
        signed[1] = (byte) type.value();
        System.arraycopy(nonce, 0, signed, NONCE, 32);
        System.arraycopy(challengeDigest.toArray(), 0, signed, DIGEST, Bytes32.LENGTH);
        System.arraycopy(keyId.toArray(), 0, signed, KEY_ID, Bytes32.LENGTH);
        return signed;
    }

    static int typeOf(byte[] bytes) {
        return (bytes[0] & 0xff) << 8 | bytes[1] & 0xff;
    }

    public TokenType type() {
        return type;
    }

    /** Returns the SHA-256 of the token's challenge. */
    public Bytes32 challengeDigest() {
        return Bytes32.at(bytes, DIGEST);
    }

    /** Returns the SHA-256 of the token key. */
    public Bytes32 keyId() {
        return Bytes32.at(bytes, KEY_ID);
    }

    /** Returns key id and nonce, 64 bytes, which identify the token regardless of its encoding and signature. */
    public byte[] identity() {
        byte[] identity = new byte[64];
        System.arraycopy(bytes, KEY_ID, identity, 0, 32);
        System.arraycopy(bytes, NONCE, identity, 32, 32);
        return identity;
    }

    /** Returns the whole token, not copied: the first {@link TokenType#signedLength} bytes are signed, the rest is the authenticator. */
    public byte[] bytes() {
        return bytes;
    }

    /** Returns the value of {@code token=} in a credential: base64url, padded where the length requires it. */
    public String encoded() {
        return Base64Url.encode(bytes);
    }

    /** Returns only the type: tokens must not be logged. */
    @Override
    public String toString() {
        return "token(" + type.label() + ")";
    }
}
