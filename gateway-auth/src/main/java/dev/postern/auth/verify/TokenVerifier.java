package dev.postern.auth.verify;

import dev.postern.auth.challenge.AcceptedChallenges.Accepted;
import dev.postern.auth.challenge.Challenges;
import dev.postern.auth.challenge.PresentationContext;
import dev.postern.auth.key.AcceptedKey;
import dev.postern.auth.key.KeyTable;
import dev.postern.auth.token.Token;
import io.netty.channel.EventLoop;
import java.time.Instant;
import java.util.function.Supplier;

/**
 * Verifier of tokens, cheapest check first: length and type are right, or there would be no {@link Token}; then key id, challenge digest,
 * and only then the signature. Thread-safe; does not check signatures itself.
 */
public final class TokenVerifier {

    private static final Preview WRONG_CHALLENGE = new Decided(new VerificationResult.WrongChallenge());
    private static final Preview NO_KEYS = new Decided(new VerificationResult.NoKeys());
    private static final Preview UNKNOWN_KEY = new Decided(new VerificationResult.UnknownKey(""));

    private final Supplier<KeyTable> keys;
    private final Challenges challenges;
    private final EventLoopVerifiers verifiers;
    private final KeyLifetime lifetime;

    public TokenVerifier(
            Supplier<KeyTable> keys, Challenges challenges, EventLoopVerifiers verifiers, KeyLifetime lifetime) {
        this.keys = keys;
        this.challenges = challenges;
        this.verifiers = verifiers;
        this.lifetime = lifetime;
    }

    /** Preview of a result after the cheap checks. */
    public sealed interface Preview {}

    /** Final result; the signature need not be checked. */
    public record Decided(VerificationResult result) implements Preview {}

    /** Token that passed all checks but the signature, which is not checked yet. */
    public record Candidate(Token token, AcceptedKey key, VerificationResult.Good good) implements Preview {}

    /** Runs all checks but the signature. */
    public Preview preview(Token token, PresentationContext context, Instant now) {
        KeyTable table = keys.get();
        if (!table.usable(now)) {
            return NO_KEYS;
        }
        boolean known = table.knows(token.keyId());
        Accepted accepted = challenges.find(context, token.challengeDigest(), now);
        if (!known) {
            return accepted == null ? UNKNOWN_KEY : new Decided(new VerificationResult.UnknownKey(accepted.issuer()));
        }
        if (accepted == null || accepted.type() != token.type().value()) {
            return WRONG_CHALLENGE;
        }
        // The key must belong to the issuer that the challenge names.
        AcceptedKey key = table.accepted(token.keyId(), accepted.issuer(), now);
        if (key == null || !key.key().type().equals(token.type()) || accepted.endless() && lifetime.expired(key, now)) {
            return UNKNOWN_KEY;
        }
        VerificationResult.Good good = accepted.endless()
                ? new VerificationResult.Good(lifetime.end(key, now), false, key.from())
                : new VerificationResult.Good(accepted.until(), accepted.lapsed(), null);
        return new Candidate(token, key, good);
    }

    /**
     * Returns the check of the candidate's signature.
     *
     * @param loop the current event loop; the check is only for that event loop, unless it is {@link SignatureCheck#costly}
     */
    public SignatureCheck check(Candidate candidate, EventLoop loop) {
        return verifiers.get(loop, candidate.key().key());
    }
}
