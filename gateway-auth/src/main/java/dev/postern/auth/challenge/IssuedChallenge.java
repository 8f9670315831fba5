package dev.postern.auth.challenge;

import dev.postern.auth.key.IssuerKey;
import dev.postern.auth.token.ChallengeField;
import dev.postern.auth.token.TokenType;
import dev.postern.core.http.Field;
import dev.postern.core.http.FieldName;
import org.jspecify.annotations.Nullable;

/** Issued challenge: the current one of a scope, issuer and type. Thread-safe. */
public final class IssuedChallenge {

    private final String issuer;
    private final TokenType type;
    private final byte[] encoded;
    private volatile @Nullable Written written;

    private record Written(IssuerKey key, FieldName name, long maxAge, Field field) {}

    IssuedChallenge(String issuer, TokenType type, byte[] encoded) {
        this.issuer = issuer;
        this.type = type;
        this.encoded = encoded;
    }

    public String issuer() {
        return issuer;
    }

    public TokenType type() {
        return type;
    }

    /** Returns the encoded TokenChallenge, not copied. */
    public byte[] encoded() {
        return encoded;
    }

    /**
     * Returns the header field with the challenge; created again once a second, when the remaining age changes.
     *
     * @param maxAge seconds for which the challenge is accepted, or -1 to omit the parameter
     */
    public Field field(FieldName name, IssuerKey key, long maxAge) {
        Written known = written;
        if (known == null || known.maxAge != maxAge || known.key != key || !known.name.equals(name)) {
            known = new Written(key, name, maxAge, Field.of(name, ChallengeField.text(encoded, key.encoded(), maxAge)));
            written = known;
        }
        return known.field;
    }
}
