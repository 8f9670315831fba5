package dev.postern.ratelimit.queue;

import static dev.postern.ratelimit.queue.AdmissionRequests.SECOND;
import static dev.postern.ratelimit.queue.AdmissionRequests.claiming;
import static dev.postern.ratelimit.queue.AdmissionRequests.enter;
import static dev.postern.ratelimit.queue.AdmissionRequests.fetch;
import static dev.postern.ratelimit.queue.AdmissionRequests.poll;
import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.ratelimit.queue.AdmissionDecision.Kind;
import dev.postern.ratelimit.queue.AdmissionRequest.Claim;
import dev.postern.ratelimit.queue.AdmissionRequest.Intent;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests the ends of passes and claims to them: three slots, 10 s of silence, passes of 60 s. */
class RoomPassTest {

    private static final long START = 1_000 * SECOND;
    private static final long FORMER = START - 50 * SECOND;

    private long now = START;
    private final Room room = new Room(AdmissionRequests.rules(), START);

    @BeforeEach
    void useUpBaseRate() {
        assertThat(decide(enter("base")).kind()).isEqualTo(Kind.BASE);
    }

    private AdmissionDecision decide(AdmissionRequest request) {
        return room.decide(request, now);
    }

    @Test
    void eachRequestExtendsThePassByTheTimeOfSilence() {
        assertThat(decide(enter("a")).end()).isEqualTo(START + 10 * SECOND);
        now += 9 * SECOND;
        assertThat(decide(fetch("a")).end()).isEqualTo(now + 10 * SECOND);
        for (int i = 0; i < 5; i++) {
            now += 9 * SECOND;
            decide(fetch("a"));
        }
        assertThat(decide(fetch("a")).end()).as("at most the hard end").isEqualTo(START + 60 * SECOND);
    }

    @Test
    void rulesWithLessSilenceShortenNoPass() {
        decide(enter("a"));
        RoomRules brief = new RoomRules(
                3, 60 * SECOND, SECOND, SECOND, 10, AdmissionRequests.rules().base());
        room.rules(brief);
        assertThat(decide(fetch("a")).end()).isEqualTo(START + 10 * SECOND);
    }

    @Test
    void aRenewalExtendsAPassAndTakesNoFreeSlot() {
        decide(enter("a"));
        now += 9 * SECOND;
        assertThat(decide(AdmissionRequest.of(Intent.RENEW, "a", Claim.NONE)).end())
                .isEqualTo(now + 10 * SECOND);
        assertThat(decide(AdmissionRequest.of(Intent.RENEW, "stranger", Claim.NONE))
                        .kind())
                .isEqualTo(Kind.LIMITED);
    }

    @Test
    void theUseOfOnePassKeepsNoOtherPass() {
        for (String session : new String[] {"a", "b", "c"}) {
            decide(enter(session));
        }
        now += 5 * SECOND;
        decide(fetch("a"));
        now += 5 * SECOND;
        assertThat(decide(poll("absent")).room().active()).isOne();
    }

    @Test
    void theOldestPassHasTheFirstHardEndWhileANodeIsSilent() {
        room.report(new RoomReport("silent", START, START, 1, 1), now);
        decide(enter("b"));
        now += 10 * SECOND;
        decide(fetch("stranger")); // uses up the base rate
        assertThat(decide(enter("a")).kind()).isEqualTo(Kind.ADMITTED);
        now = START + 60 * SECOND;
        assertThat(decide(poll("absent")).room().active()).isOne();
        assertThat(decide(fetch("a")).kind()).isEqualTo(Kind.ADMITTED);
    }

    @Test
    void theEndOfARevokedPassDoesNotEndTheNextPassOfItsSession() {
        decide(enter("a"));
        room.revoke("a", now);
        now += 5 * SECOND;
        decide(fetch("stranger")); // uses up the base rate
        assertThat(decide(enter("a")).kind()).isEqualTo(Kind.ADMITTED);
        now += 5 * SECOND;
        assertThat(decide(fetch("a")).kind()).isEqualTo(Kind.ADMITTED);
    }

    @ParameterizedTest
    @CsvSource({"0, WAITING", "1, ADMITTED"})
    void aPassFromBeforeALossOfMemoryCountsUntilItsEnd(long left, Kind expected) {
        room.freeze(START + 120 * SECOND);
        Claim pass = new Claim(FORMER, 0, 0, now + left, now + 20 * SECOND);
        assertThat(decide(claiming("a", pass)).kind()).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource({"59_999_999, ADMITTED", "60_000_000, WAITING"})
    void aPassFromBeforeALossOfMemoryCountsAsLongAsItCouldHaveLived(String sinceLoss, Kind expected) {
        room.freeze(START + 120 * SECOND);
        now += Long.parseLong(sinceLoss.replace("_", ""));
        Claim pass = new Claim(FORMER, 0, 0, now + SECOND, now + 20 * SECOND);
        assertThat(decide(claiming("a", pass)).kind()).isEqualTo(expected);
    }

    @Test
    void aClaimIssuedByTheRoomItselfCountsForNothing() {
        room.freeze(START + 120 * SECOND);
        decide(enter("w"));
        Claim pass = new Claim(START, 0, 0, now + SECOND, now + 20 * SECOND);
        assertThat(decide(claiming("a", pass)).kind()).isEqualTo(Kind.WAITING);
        Claim place = new Claim(START, START - 1, now, 0, 0);
        assertThat(decide(claiming("b", place)).position()).isEqualTo(3);
    }

    @Test
    void anEndedPassRestoresNoPlace() {
        Claim ended = new Claim(FORMER, 0, now, now - 1, now + 20 * SECOND);
        assertThat(decide(AdmissionRequest.of(Intent.POLL, "a", ended)).kind()).isEqualTo(Kind.LIMITED);
    }
}
