package dev.postern.auth.verify;

import dev.postern.auth.key.AcceptedKey;
import dev.postern.auth.key.KeyTable;
import dev.postern.auth.token.Token;
import dev.postern.auth.verify.AcceptedChallenges.Accepted;
import io.netty.channel.EventLoop;
import java.time.Instant;
import java.util.function.Supplier;

/**
 * Judges a token, cheapest question first: its length and type were right or it would not be a {@link Token}; then key id, challenge
 * digest, and only then the signature. Thread-safe; it does no arithmetic itself.
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

    /** What cheap questions found out. */
    public sealed interface Preview {}

    /** Nothing more needs to be asked. */
    public record Decided(VerificationResult result) implements Preview {}

    /** All is as it should be but for the signature, which nobody has checked. */
    public record Candidate(Token token, AcceptedKey key, VerificationResult.Good good) implements Preview {}

    /** Asks everything that needs no arithmetic. */
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
        // Of the issuer that the challenge names: another one's key must not do.
        AcceptedKey key = table.accepted(token.keyId(), accepted.issuer(), now);
        if (key == null || !key.key().type().equals(token.type()) || accepted.endless() && lifetime.over(key, now)) {
            return UNKNOWN_KEY;
        }
        VerificationResult.Good good = accepted.endless()
                ? new VerificationResult.Good(lifetime.end(key, now), false, key.from())
                : new VerificationResult.Good(accepted.until(), accepted.lapsed(), null);
        return new Candidate(token, key, good);
    }

    /**
     * What does the arithmetic.
     *
     * @param loop the one that this is called on; the check is for it alone, unless it is {@link SignatureCheck#costly}
     */
    public SignatureCheck check(Candidate candidate, EventLoop loop) {
        return verifiers.get(loop, candidate.key().key());
    }
}
