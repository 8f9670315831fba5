package dev.postern.ratelimit.handler;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.ratelimit.handler.OutageRule.Known;
import dev.postern.ratelimit.handler.OutageRule.Verdict;
import dev.postern.ratelimit.queue.AdmissionDecision.Snapshot;
import dev.postern.ratelimit.queue.AdmissionRequest.Claim;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests requests at 1,000 of a room with the epoch 7 that does not respond, and keeps places for 300. */
class OutageRuleTest {

    private static final Snapshot LAST = new Snapshot(1_000, 7, 3, 2);
    private static final OutageRule RULE = new OutageRule(300);

    private static Verdict verdict(boolean lasts, boolean ended, Claim claim) {
        return RULE.verdict(new Known(lasts, ended, claim), LAST);
    }

    @Test
    void aKnownPassIsUsedWhateverTheCookieSays() {
        assertThat(verdict(true, false, Claim.NONE)).isEqualTo(Verdict.USE_PASS);
        assertThat(verdict(true, true, new Claim(7, 42, 1, 0, 0))).isEqualTo(Verdict.USE_PASS);
    }

    @ParameterizedTest
    @CsvSource({
        "7, 1001, 1001, TAKE_PASS",
        "7, 1000, 2000, REFUSE",
        "7, 1001, 1000, REFUSE",
        "6, 2000, 2000, REFUSE",
        "0, 2000, 2000, REFUSE",
    })
    void aPassOfThisRoomIsTakenUntilItsEnd(long epoch, long end, long hard, Verdict expected) {
        assertThat(verdict(false, false, new Claim(epoch, 0, 900, end, hard))).isEqualTo(expected);
    }

    @Test
    void anEndedPassStaysEnded() {
        assertThat(verdict(false, true, new Claim(7, 0, 900, 2_000, 3_000))).isEqualTo(Verdict.REFUSE);
    }

    @Test
    void aNodeThatHasNotSeenTheRoomTakesNoPass() {
        Known known = new Known(false, false, new Claim(7, 0, 900, 2_000, 3_000));
        assertThat(RULE.verdict(known, new Snapshot(1_000, 0, 0, 0))).isEqualTo(Verdict.REFUSE);
        Known zero = new Known(false, false, new Claim(0, 0, 900, 2_000, 3_000));
        assertThat(RULE.verdict(zero, new Snapshot(1_000, 0, 0, 0))).isEqualTo(Verdict.REFUSE);
    }

    @ParameterizedTest
    @CsvSource({"701, KEEP_PLACE", "700, REFUSE"})
    void aPlaceIsKeptAsLongAsTheRoomWouldKeepIt(long seen, Verdict expected) {
        assertThat(verdict(false, false, new Claim(7, 42, seen, 0, 0))).isEqualTo(expected);
        assertThat(verdict(false, false, new Claim(6, 42, seen, 0, 0)))
                .as("from before a loss of memory")
                .isEqualTo(expected);
    }

    @Test
    void aNewClientIsRefused() {
        assertThat(verdict(false, false, Claim.NONE)).isEqualTo(Verdict.REFUSE);
    }
}
