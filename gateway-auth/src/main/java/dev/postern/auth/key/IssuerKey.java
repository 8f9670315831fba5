package dev.postern.auth.key;

import dev.postern.auth.token.Bytes32;
import dev.postern.auth.token.TokenChallenge;
import dev.postern.auth.token.TokenScheme;
import dev.postern.auth.token.TokenType;

/** Public key of an issuer, as published and in a form for computation. Immutable. */
public abstract class IssuerKey {

    private final TokenType type;
    private final byte[] encoded;
    private final Bytes32 id;

    protected IssuerKey(TokenType type, byte[] encoded) {
        this.type = type;
        this.encoded = encoded.clone();
        // Hash of exactly the received bytes: another encoding of the same key is another key to every client.
        this.id = TokenChallenge.sha256(encoded);
    }

    /**
     * Reads the {@code token-key} of a directory or a challenge.
     *
     * @throws IllegalArgumentException stating what is wrong, if the key is invalid
     */
    public static IssuerKey read(TokenType type, byte[] encoded) {
        return TokenScheme.of(type, KeyFormat.class).readKey(encoded);
    }

    /**
     * Reads the {@code token-key} of a directory; also accepts forms that only directories use.
     *
     * @throws IllegalArgumentException stating what is wrong, if the key is invalid
     */
    static IssuerKey readListed(TokenType type, byte[] encoded) {
        return TokenScheme.of(type, KeyFormat.class).readListedKey(encoded);
    }

    public TokenType type() {
        return type;
    }

    /** Returns whether this gateway can verify tokens under the key; keys of privately verifiable types need their secret. */
    public boolean verifiable() {
        return true;
    }

    /** Returns the bytes as published, not copied. */
    public byte[] encoded() {
        return encoded;
    }

    /** Returns the token key id: SHA-256 of the bytes as published (RFC 9578 section 6.5). */
    public Bytes32 id() {
        return id;
    }

    @Override
    public String toString() {
        return id.toString();
    }
}
