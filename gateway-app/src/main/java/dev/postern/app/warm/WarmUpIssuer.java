package dev.postern.app.warm;

import dev.postern.auth.issue.Issuance;
import dev.postern.auth.issue.IssuingKey;
import dev.postern.auth.issue.PendingToken;
import dev.postern.auth.token.Base64Url;
import dev.postern.auth.token.ChallengeField;
import dev.postern.auth.token.TokenChallenge;
import dev.postern.auth.token.TokenScheme;
import dev.postern.auth.token.TokenType;
import java.security.SecureRandom;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Issuer of one warm-up, whose key no other gateway accepts. The issuer spends more time on a token than the gateway does, so the number of
 * tokens is limited. Thread-safe.
 */
final class WarmUpIssuer {

    private static final int MAX = 400;

    private final Issuance scheme = TokenScheme.of(TokenType.BLIND_RSA, Issuance.class);
    private final IssuingKey key = scheme.generate();
    private final SecureRandom random = new SecureRandom();
    private final AtomicInteger made = new AtomicInteger();

    /** Returns the public key in the form of {@code public-keys} in the configuration. */
    String publicKey() {
        return Base64Url.encode(key.published().encoded());
    }

    /** Returns the value of Authorization for a value of WWW-Authenticate; null if it has no challenge, or the tokens are used up. */
    @Nullable
    String response(String challenges) {
        List<ChallengeField> fields = ChallengeField.parse(challenges);
        if (fields == null || fields.isEmpty() || made.incrementAndGet() > MAX) {
            return null;
        }
        PendingToken pending = scheme.begin(
                key.published(), TokenChallenge.sha256(fields.get(0).challenge()), random);
        byte[] signed = key.sign(pending.request().blinded());
        return signed == null
                ? null
                : "PrivateToken token=\"" + pending.finish(signed).encoded() + '"';
    }
}
