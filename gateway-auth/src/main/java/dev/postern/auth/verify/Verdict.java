package dev.postern.auth.verify;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** What verification says of a token. */
public sealed interface Verdict {

    /**
     * The token is good.
     *
     * @param until when no gateway accepts it any more; the ledger must remember it until then
     * @param lapsed whether its window is over, so that only the ticket that it opened may vouch for it
     * @param keyBegan since when its key is good, where its challenge has an empty context and only the key ends it; else null
     */
    record Good(Instant until, boolean lapsed, @Nullable Instant keyBegan) implements Verdict {}

    /** The authenticator does not fit. */
    record Invalid() implements Verdict {}

    /** The ledger knows without asking anybody that it was spent. */
    record Spent() implements Verdict {}

    /** Nobody had time to check it, after so many of its network failed. */
    record OverBudget() implements Verdict {}

    /** Its check is long, and too many waited for one already. */
    record Busy() implements Verdict {}

    /** It answers no challenge that is accepted here and now. */
    record WrongChallenge() implements Verdict {}

    /**
     * No key of the issuer has that id.
     *
     * @param issuer whose challenge it answers, so that asking that issuer may help; empty when none
     */
    record UnknownKey(String issuer) implements Verdict {}

    /** No issuer key is at hand at all. */
    record NoKeys() implements Verdict {}
}
