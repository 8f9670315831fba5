package dev.postern.ratelimit.queue;

import static dev.postern.ratelimit.queue.AdmissionRequests.SECOND;
import static dev.postern.ratelimit.queue.AdmissionRequests.claiming;
import static dev.postern.ratelimit.queue.AdmissionRequests.enter;
import static dev.postern.ratelimit.queue.AdmissionRequests.fetch;
import static dev.postern.ratelimit.queue.AdmissionRequests.poll;
import static dev.postern.ratelimit.queue.AdmissionRequests.withCredential;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.postern.core.rate.Gcra;
import dev.postern.ratelimit.queue.AdmissionDecision.Kind;
import dev.postern.ratelimit.queue.AdmissionRequest.Claim;
import dev.postern.ratelimit.queue.AdmissionRequest.Intent;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests the places of absent sessions: 5 s of absence, places kept for 60 s, three slots, 10 s of silence, at most four waiting. */
class RoomKeepTest {

    private static final long START = 1_000 * SECOND;
    private static final RoomRules RULES =
            new RoomRules(3, 600 * SECOND, 10 * SECOND, 5 * SECOND, 60 * SECOND, 4, new Gcra(3_600 * SECOND, 0), 0);

    private long now = START;
    private Room room = new Room(RULES, START);

    @BeforeEach
    void fill() {
        assertThat(decide(enter("base")).kind()).isEqualTo(Kind.BASE);
        for (int i = 0; i < 3; i++) {
            assertThat(decide(enter("a" + i)).kind()).isEqualTo(Kind.ADMITTED);
        }
    }

    private AdmissionDecision decide(AdmissionRequest request) {
        return room.decide(request, now);
    }

    /** Lets seconds pass in which the given sessions poll and the passes are in use. */
    private void pass(int seconds, String... waiting) {
        for (int i = 0; i < seconds; i++) {
            now += SECOND;
            for (int pass = 0; pass < 3; pass++) {
                decide(AdmissionRequest.of(Intent.RENEW, "a" + pass, Claim.NONE));
            }
            for (String session : waiting) {
                decide(poll(session));
            }
        }
    }

    @Test
    void whoReturnsIsAheadOfAllThatArrivedLater() {
        long ticket = decide(enter("pocket")).ticket();
        decide(enter("later"));
        pass(30, "later");
        assertThat(decide(poll("later")).position()).as("passed over").isOne();
        AdmissionDecision back = decide(poll("pocket"));
        assertThat(back.kind()).isEqualTo(Kind.WAITING);
        assertThat(back.position()).isOne();
        assertThat(back.ticket()).isEqualTo(ticket);
        assertThat(decide(poll("later")).position()).isEqualTo(2);
    }

    @ParameterizedTest
    @EnumSource(names = {"PAGE", "ENTER", "FETCH", "POLL"})
    void everyRequestOfASessionTakesItBack(Intent intent) {
        decide(enter("pocket"));
        decide(enter("later"));
        pass(30, "later");
        assertThat(decide(AdmissionRequests.visit(intent, "pocket")).position()).isOne();
    }

    @Test
    void anAbsentSessionReservesNoSlot() {
        decide(enter("pocket"));
        decide(enter("later"));
        pass(6, "later");
        room.revoke("a0", now);
        now += 4 * SECOND;
        decide(poll("later"));
        now += 4 * SECOND;
        decide(poll("later"));
        now += 3 * SECOND;
        assertThat(decide(poll("later")).kind()).isEqualTo(Kind.ADMITTED);
    }

    @Test
    void whoReturnsToAFreeSlotIsAdmitted() {
        decide(enter("pocket"));
        now += 11 * SECOND;
        assertThat(decide(poll("pocket")).kind()).isEqualTo(Kind.ADMITTED);
        assertThat(decide(poll("pocket")).room().waiting()).isZero();
    }

    @Test
    void absentSessionsAreNoWaitingOnes() {
        for (int i = 0; i < 4; i++) {
            decide(enter("pocket" + i));
        }
        assertThat(decide(enter("one-more")).kind()).isEqualTo(Kind.FULL);
        pass(6);
        AdmissionDecision decision = decide(enter("one-more"));
        assertThat(decision.kind()).isEqualTo(Kind.WAITING);
        assertThat(decision.position()).isOne();
        assertThat(decision.room().waiting()).isOne();
    }

    @Test
    void whoReturnsToAFullQueueHasItsPlace() {
        decide(enter("pocket"));
        pass(6);
        String[] others = {"b0", "b1", "b2", "b3"};
        for (String other : others) {
            decide(enter(other));
        }
        assertThat(decide(enter("one-more")).kind()).isEqualTo(Kind.FULL);
        AdmissionDecision back = decide(poll("pocket"));
        assertThat(back.position()).isOne();
        assertThat(back.room().waiting()).isEqualTo(5);
    }

    @Test
    void beyondTheBoundTheLongestSilentLosesItsPlace() {
        decide(enter("first"));
        pass(1);
        for (int i = 0; i < 3; i++) {
            decide(enter("b" + i));
        }
        pass(6);
        for (int i = 0; i < 2; i++) {
            decide(enter("c" + i));
        }
        pass(6);
        assertThat(room.absent()).isEqualTo(4);
        assertThat(decide(poll("first")).kind()).isEqualTo(Kind.LIMITED);
        assertThat(decide(poll("b0")).kind()).as("by name, of the same silence").isEqualTo(Kind.LIMITED);
        assertThat(decide(poll("b1")).kind()).isEqualTo(Kind.WAITING);
        assertThat(decide(poll("b2")).position()).isEqualTo(2);
        assertThat(decide(poll("c1")).position()).isEqualTo(3);
        assertThat(decide(poll("c0")).position()).isEqualTo(3);
    }

    @ParameterizedTest
    @CsvSource({"59_999_999, WAITING", "60_000_000, LIMITED"})
    void aPlaceIsKeptForAWhile(String silence, Kind expected) {
        room.control(RoomOverrides.NONE.in(RoomMode.PAUSED));
        decide(enter("b"));
        now += Long.parseLong(silence.replace("_", ""));
        assertThat(decide(poll("b")).kind()).isEqualTo(expected);
    }

    @Test
    void withoutATimeToKeepAPlaceEndsWithTheAbsence() {
        room = new Room(RULES.keeping(5 * SECOND), START);
        now = START;
        fill();
        decide(enter("gone"));
        pass(5);
        assertThat(decide(poll("gone")).kind()).isEqualTo(Kind.LIMITED);
        assertThat(room.absent()).isZero();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> RULES.keeping(5 * SECOND - 1))
                .withMessage("room: keep 4999999 (expected: at least absence, 5000000)");
    }

    @Test
    void aRevokedPlaceIsNotKept() {
        decide(enter("gone"));
        pass(6);
        room.revoke("gone", now);
        assertThat(decide(poll("gone")).kind()).isEqualTo(Kind.LIMITED);
    }

    @Test
    void aCredentialOpensNoSecondPlaceWhileItsSessionIsAbsent() {
        decide(withCredential("pocket", "c1"));
        pass(6);
        assertThat(decide(withCredential("other", "c1")).kind()).isEqualTo(Kind.TAKEN);
        assertThat(decide(withCredential("pocket", "c1")).position()).isOne();
    }

    @Test
    void theRateRunsWhileAllAreAbsent() {
        room = new Room(
                new RoomRules(3, 600 * SECOND, 10 * SECOND, 5 * SECOND, 60 * SECOND, 4, new Gcra(SECOND, 0), 0), START);
        fill();
        decide(enter("pocket"));
        pass(6);
        assertThat(decide(fetch("stranger")).kind()).isEqualTo(Kind.BASE);
    }

    @Test
    void aRoomWithKeptPlacesDoesNotVanish() {
        decide(enter("pocket"));
        now += 55 * SECOND;
        assertThat(room.deserted(now)).isTrue();
        assertThat(room.vanishes(now)).isFalse();
        assertThat(room.absent()).isOne();
        now += 3_600 * SECOND;
        assertThat(room.vanishes(now)).isTrue();
    }

    @ParameterizedTest
    @CsvSource({"59_999_999, 1", "60_000_000, 2"})
    void aLossOfMemoryRestoresWhatWasKept(String silence, long position) {
        decide(enter("new"));
        Claim claim = new Claim(7, START - 5, now - Long.parseLong(silence.replace("_", "")), 0, 0);
        assertThat(decide(claiming("pocket", claim)).position()).isEqualTo(position);
    }

    @Test
    void aNodeReportsAnAbsentSessionAsAbsent() {
        decide(enter("new"));
        Claim silent = new Claim(7, START - 5, now - 5 * SECOND, 0, 0);
        AdmissionDecision kept = decide(AdmissionRequest.of(Intent.KEEP, "pocket", silent));
        assertThat(kept.kind()).isEqualTo(Kind.WAITING);
        assertThat(kept.ticket()).isEqualTo(START - 5);
        assertThat(kept.room().waiting()).as("it blocks no other").isOne();
        assertThat(decide(poll("new")).position()).isOne();
        assertThat(decide(poll("pocket")).position()).isOne();
        assertThat(decide(poll("new")).position()).isEqualTo(2);
    }

    @Test
    void aNodeReportsASessionThatWasHeardAsWaiting() {
        decide(enter("new"));
        Claim heard = new Claim(7, START - 5, now - 5 * SECOND + 1, 0, 0);
        assertThat(decide(AdmissionRequest.of(Intent.KEEP, "pocket", heard))
                        .room()
                        .waiting())
                .isEqualTo(2);
        assertThat(decide(poll("new")).position()).isEqualTo(2);
    }

    @Test
    void aLaterReportKeepsAPlaceForLonger() {
        decide(enter("pocket"));
        now += 50 * SECOND;
        Claim claim = new Claim(START, START, now - 20 * SECOND, 0, 0);
        assertThat(decide(AdmissionRequest.of(Intent.KEEP, "pocket", claim)).kind())
                .isEqualTo(Kind.WAITING);
        now += 30 * SECOND;
        room.control(RoomOverrides.NONE.in(RoomMode.PAUSED));
        assertThat(decide(poll("pocket")).kind()).isEqualTo(Kind.WAITING);
    }

    @Test
    void aReportOfAPlaceThatTheRoomHasEndedRestoresNothing() {
        Claim own = new Claim(START, START - 1, now - 20 * SECOND, 0, 0);
        assertThat(decide(AdmissionRequest.of(Intent.KEEP, "gone", own)).kind()).isEqualTo(Kind.LIMITED);
        Claim old = new Claim(7, START - 1, now - 60 * SECOND, 0, 0);
        assertThat(decide(AdmissionRequest.of(Intent.KEEP, "gone", old)).kind()).isEqualTo(Kind.LIMITED);
    }

    /** Sessions fall silent for longer than an absence and return, or poll on; those that poll are admitted in their order. */
    @Test
    void keepsTheOrderThroughRandomSilence() {
        for (int seed = 0; seed < 60; seed++) {
            checkOrder(new Random(seed));
        }
    }

    private void checkOrder(Random random) {
        RoomRules rules = new RoomRules(
                2, 600 * SECOND, 2 * SECOND, 5 * SECOND, 60 * SECOND, 50, new Gcra(36_000 * SECOND, 0), 0);
        now = START;
        room = new Room(rules, START);
        decide(enter("base"));
        Map<String, Long> silentUntil = new HashMap<>();
        Map<String, Long> tickets = new HashMap<>();
        List<String> waiting = new ArrayList<>();
        for (int step = 0; step < 120; step++) {
            now += SECOND;
            if (step < 40) {
                String session = "p" + step;
                waiting.add(session);
            }
            for (String session : List.copyOf(waiting)) {
                if (silentUntil.getOrDefault(session, 0L) > now) {
                    continue;
                }
                AdmissionDecision decision = decide(enter(session));
                assertThat(decision.room().active()).isLessThanOrEqualTo(2);
                if (decision.kind() == Kind.ADMITTED) {
                    checkNoneIsOvertaken(session, tickets, waiting, silentUntil);
                    waiting.remove(session);
                    tickets.remove(session);
                } else {
                    assertThat(decision.kind()).isEqualTo(Kind.WAITING);
                    Long before = tickets.put(session, decision.ticket());
                    assertThat(before == null || before == decision.ticket()).isTrue();
                    if (random.nextInt(12) == 0) {
                        silentUntil.put(session, now + random.nextLong(40 * SECOND));
                    }
                }
            }
        }
        assertThat(waiting.size()).isLessThan(20);
    }

    /** Two slots may be free at once, so one session may be admitted before another that polls later in the same second. */
    private void checkNoneIsOvertaken(
            String session, Map<String, Long> tickets, List<String> waiting, Map<String, Long> silentUntil) {
        Long ticket = tickets.get(session);
        if (ticket == null) {
            return;
        }
        long overtaken = waiting.stream()
                .filter(other -> silentUntil.getOrDefault(other, 0L) <= now)
                .filter(other -> tickets.getOrDefault(other, Long.MAX_VALUE) < ticket)
                .count();
        assertThat(overtaken).isLessThan(2);
    }

    @Test
    void aKeptPlaceIsThatOfItsCredential() {
        Claim before = new Claim(START - 100 * SECOND, START - 50 * SECOND, now - 6 * SECOND, 0, 0);
        AdmissionRequest kept =
                new AdmissionRequest(Intent.KEEP, "kept", "all", before, "credential", TenantShare.NONE);
        assertThat(decide(kept).kind()).isEqualTo(Kind.WAITING);
        assertThat(decide(withCredential("other", "credential")).kind()).isEqualTo(Kind.TAKEN);
    }
}
