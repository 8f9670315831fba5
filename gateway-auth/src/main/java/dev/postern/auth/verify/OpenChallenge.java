package dev.postern.auth.verify;

import dev.postern.auth.key.IssuerKey;
import dev.postern.auth.token.ChallengeField;
import dev.postern.auth.token.TokenType;
import org.jspecify.annotations.Nullable;

/** The challenge that clients get now, for one scope, issuer and type. Thread-safe. */
public final class OpenChallenge {

    private final String issuer;
    private final TokenType type;
    private final byte[] encoded;
    private volatile @Nullable Written written;

    private record Written(IssuerKey key, String prefix) {}

    OpenChallenge(String issuer, TokenType type, byte[] encoded) {
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

    /** The encoded TokenChallenge, not copied. */
    public byte[] encoded() {
        return encoded;
    }

    /** @param maxAge seconds for which it is accepted, or -1 to say nothing; returns the value of the field that puts it to a client */
    public String field(IssuerKey key, long maxAge) {
        Written known = written;
        if (known == null || known.key() != key) {
            known = new Written(key, ChallengeField.prefix(encoded, key.encoded()));
            written = known;
        }
        return maxAge < 0 ? ChallengeField.withoutAge(known.prefix()) : ChallengeField.withAge(known.prefix(), maxAge);
    }
}
