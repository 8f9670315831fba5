package dev.postern.auth.verify;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** What verification says of a token. */
public sealed interface VerificationResult {

    /**
     * The token is good.
     *
     * @param until when no gateway accepts it any more; the ledger must remember it until then
     * @param lapsed whether its window is over, so that only the ticket that it opened may vouch for it
     * @param keyBegan since when its key is good, where its challenge has an empty context and only the key ends it; else null
     */
    record Good(Instant until, boolean lapsed, @Nullable Instant keyBegan) implements VerificationResult {}

    /** The authenticator does not fit. */
    record Invalid() implements VerificationResult {}

    /** The ledger knows without asking anybody that it was spent. */
    record Spent() implements VerificationResult {}

    /** Nobody had time to check it, after so many of its network failed. */
    record OverBudget() implements VerificationResult {}

    /** Its check is long, and too many waited for one already. */
    record Busy() implements VerificationResult {}

    /** It responses no challenge that is accepted here and now. */
    record WrongChallenge() implements VerificationResult {}

    /**
     * No key of the issuer has that id.
     *
     * @param issuer whose challenge it responds, so that asking that issuer may help; empty when none
     */
    record UnknownKey(String issuer) implements VerificationResult {}

    /** No issuer key is at hand at all. */
    record NoKeys() implements VerificationResult {}
}
