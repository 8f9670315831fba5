package dev.postern.auth.handler;

import dev.postern.auth.spend.LedgerSettings;
import dev.postern.auth.spend.LedgerSettings.WhenUnknown;
import dev.postern.auth.spend.SpendResult;
import dev.postern.core.http.Refusal;

/**
 * Decides what follows from the result of a spend: admit, challenge or refuse, and whether the token is refunded. Knows neither Netty nor a
 * ledger; immutable.
 *
 * @param acceptUnknown whether a token passes that the ledger could not check ({@code when-unknown: accept})
 * @param refunds whether the token of an exchange that never reached an upstream is refunded ({@code give-back: true})
 */
record SpendRule(boolean acceptUnknown, boolean refunds) {

    /** Decision that follows from the result of a spend. */
    sealed interface Decision {

        /**
         * Admits the exchange.
         *
         * @param unchecked whether the ledger did not confirm that the token is fresh
         * @param refund when the token is refunded after all
         */
        record Admit(boolean unchecked, Refund refund) implements Decision {}

        /** Challenges the client for another token. */
        record Challenge(String reason) implements Decision {}

        /** Refuses the exchange because the ledger failed; a spend of this exchange that the ledger holds is undone at once. */
        record Refuse(Refusal refusal) implements Decision {}
    }

    /** Refund of the token of an admitted exchange. */
    enum Refund {
        NEVER,
        /** Refunds when the exchange ends without having reached an upstream. */
        UNLESS_FORWARDED,
        /**
         * Refunds like {@link #UNLESS_FORWARDED}, but not when the client got any response: that response carried the session that the
         * token bought.
         */
        UNLESS_RESPONDED;

        boolean due(boolean forwarded, boolean responded) {
            return switch (this) {
                case NEVER -> false;
                case UNLESS_FORWARDED -> !forwarded;
                case UNLESS_RESPONDED -> !forwarded && !responded;
            };
        }
    }

    private static final Decision SPENT = new Decision.Challenge("spent");

    static SpendRule of(LedgerSettings settings) {
        return new SpendRule(settings.whenUnknown() == WhenUnknown.ACCEPT, settings.refund());
    }

    /**
     * @param busy whether the result is UNKNOWN because a bound of the ledger was reached
     * @param reverse whether a reverse listener accepted the exchange; on forward listeners a refund would make a free port scanner
     * @param session whether the token buys a session
     */
    Decision decide(SpendResult result, boolean busy, boolean reverse, boolean session) {
        return switch (result) {
            case FRESH -> new Decision.Admit(false, refund(reverse, session));
            case SPENT -> SPENT;
            case UNKNOWN ->
                acceptUnknown
                        ? new Decision.Admit(true, refund(reverse, session))
                        : new Decision.Refuse(busy ? Refusal.LEDGER_BUSY : Refusal.LEDGER_UNKNOWN);
        };
    }

    private Refund refund(boolean reverse, boolean session) {
        if (!refunds || !reverse) {
            return Refund.NEVER;
        }
        return session ? Refund.UNLESS_RESPONDED : Refund.UNLESS_FORWARDED;
    }
}
