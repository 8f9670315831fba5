package dev.postern.auth.verify;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Result of the verification of a token. */
public sealed interface VerificationResult {

    /**
     * Good token.
     *
     * @param until when no gateway accepts the token any more; the ledger must remember it until then
     * @param lapsed whether its window is over, so that the token is only valid together with the ticket that it opened
     * @param keyBegan start of its key's validity, where its challenge has an empty redemption context and only the key limits it; else
     *     null
     */
    record Good(Instant until, boolean lapsed, @Nullable Instant keyBegan) implements VerificationResult {}

    /** Invalid authenticator. */
    record Invalid() implements VerificationResult {}

    /** Spent token, as the ledger knows locally. */
    record Spent() implements VerificationResult {}

    /** Unverified token: no idle time, after too many failures of its client network. */
    record OverBudget() implements VerificationResult {}

    /** Unverified token: its check is slow, and too many such checks were waiting. */
    record Busy() implements VerificationResult {}

    /** Token for a challenge that is not accepted here and now. */
    record WrongChallenge() implements VerificationResult {}

    /**
     * Token with an unknown key id.
     *
     * @param issuer issuer of the token's challenge, whose directory may be fetched for the key; empty when none
     */
    record UnknownKey(String issuer) implements VerificationResult {}

    /** No issuer key is available at all. */
    record NoKeys() implements VerificationResult {}
}
