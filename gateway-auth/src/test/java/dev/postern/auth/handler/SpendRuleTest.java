package dev.postern.auth.handler;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.auth.handler.SpendRule.Decision;
import dev.postern.auth.handler.SpendRule.Refund;
import dev.postern.auth.spend.SpendResult;
import dev.postern.core.http.Refusal;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SpendRuleTest {

    @ParameterizedTest
    @CsvSource({
        // give-back, reverse listener, buys a session
        "true,  true,  false, UNLESS_FORWARDED",
        "true,  true,  true,  UNLESS_RESPONDED",
        "true,  false, false, NEVER",
        "true,  false, true,  NEVER",
        "false, true,  false, NEVER",
        "false, true,  true,  NEVER",
        "false, false, false, NEVER",
    })
    void freshTokensAreAdmitted(boolean refunds, boolean reverse, boolean session, Refund refund) {
        for (boolean accept : new boolean[] {true, false}) {
            assertThat(new SpendRule(accept, refunds).decide(SpendResult.FRESH, false, reverse, session))
                    .isEqualTo(new Decision.Admit(false, refund));
        }
    }

    @ParameterizedTest
    @CsvSource({"true, true", "true, false", "false, true", "false, false"})
    void spentTokensAreChallengedWhateverTheSettings(boolean accept, boolean refunds) {
        assertThat(new SpendRule(accept, refunds).decide(SpendResult.SPENT, false, true, true))
                .isEqualTo(new Decision.Challenge("spent"));
    }

    @ParameterizedTest
    @CsvSource({"false, LEDGER_UNKNOWN", "true, LEDGER_BUSY"})
    void unknownTokensAreRefused(boolean busy, Refusal refusal) {
        assertThat(new SpendRule(false, true).decide(SpendResult.UNKNOWN, busy, true, false))
                .isEqualTo(new Decision.Refuse(refusal));
    }

    @ParameterizedTest
    @CsvSource({"true, UNLESS_FORWARDED", "false, NEVER"})
    void unknownTokensAreAdmittedUncheckedWhereThatIsConfigured(boolean reverse, Refund refund) {
        assertThat(new SpendRule(true, true).decide(SpendResult.UNKNOWN, false, reverse, false))
                .isEqualTo(new Decision.Admit(true, refund));
    }

    @ParameterizedTest
    @CsvSource({
        // refund, forwarded, responded: due
        "NEVER,            false, false, false",
        "UNLESS_FORWARDED, false, false, true",
        "UNLESS_FORWARDED, false, true,  true",
        "UNLESS_FORWARDED, true,  true,  false",
        "UNLESS_RESPONDED, false, false, true",
        "UNLESS_RESPONDED, false, true,  false",
        "UNLESS_RESPONDED, true,  true,  false",
    })
    void refundsTokensThatBoughtNothing(Refund refund, boolean forwarded, boolean responded, boolean due) {
        assertThat(refund.due(forwarded, responded)).isEqualTo(due);
    }
}
