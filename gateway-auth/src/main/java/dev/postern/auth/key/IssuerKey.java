package dev.postern.auth.key;

import dev.postern.auth.token.Bytes32;
import dev.postern.auth.token.TokenChallenge;
import dev.postern.auth.token.TokenScheme;
import dev.postern.auth.token.TokenType;

/** A public key of an issuer, in the form in which it was published and in a form that can be computed with. Immutable. */
public abstract class IssuerKey {

    private final TokenType type;
    private final byte[] encoded;
    private final Bytes32 id;

    protected IssuerKey(TokenType type, byte[] encoded) {
        this.type = type;
        this.encoded = encoded.clone();
        // Of exactly the bytes that were received: another encoding of the same key is another key to every client.
        this.id = TokenChallenge.sha256(encoded);
    }

    /**
     * Reads the {@code token-key} of a directory or a challenge.
     *
     * @throws IllegalArgumentException saying what is wrong, if it is not a key that may be used
     */
    public static IssuerKey read(TokenType type, byte[] encoded) {
        return TokenScheme.of(type, KeyFormat.class).readKey(encoded);
    }

    public TokenType type() {
        return type;
    }

    /** Whether this gateway can check tokens under it; keys of privately verifiable types need their secret for that. */
    public boolean verifiable() {
        return true;
    }

    /** The bytes as published, not copied. */
    public byte[] encoded() {
        return encoded;
    }

    /** The token key id: SHA-256 of the bytes as published (RFC 9578 section 6.5). */
    public Bytes32 id() {
        return id;
    }

    @Override
    public String toString() {
        return id.toString();
    }
}
