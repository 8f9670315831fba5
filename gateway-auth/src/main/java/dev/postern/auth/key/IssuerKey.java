package dev.postern.auth.key;

import dev.postern.auth.token.Bytes32;
import dev.postern.auth.token.TokenChallenge;
import dev.postern.auth.token.TokenType;
import java.util.Map;
import java.util.function.Function;

/** A public key of an issuer, in the form in which it was published and in a form that can be computed with. Immutable. */
public abstract class IssuerKey {

    /** How the keys of each type are read: one line for a type. */
    @SuppressWarnings("ClassInitializationDeadlock") // nobody makes a subclass but through read()
    private static final Map<TokenType, Function<byte[], IssuerKey>> FORMATS = Map.of(TokenType.BLIND_RSA, RsaKey::new);

    private final TokenType type;
    private final byte[] encoded;
    private final Bytes32 id;

    IssuerKey(TokenType type, byte[] encoded) {
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
        Function<byte[], IssuerKey> format = FORMATS.get(type);
        if (format == null) {
            throw new IllegalArgumentException("token-key: type " + type.value() + " (expected: " + FORMATS.keySet());
        }
        return format.apply(encoded);
    }

    public TokenType type() {
        return type;
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
