package dev.postern.ratelimit.queue;

import static dev.postern.ratelimit.queue.AdmissionRequests.SECOND;
import static dev.postern.ratelimit.queue.AdmissionRequests.claiming;
import static dev.postern.ratelimit.queue.AdmissionRequests.enter;
import static dev.postern.ratelimit.queue.AdmissionRequests.fetch;
import static dev.postern.ratelimit.queue.AdmissionRequests.poll;
import static dev.postern.ratelimit.queue.AdmissionRequests.visit;
import static dev.postern.ratelimit.queue.AdmissionRequests.withCredential;
import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.ratelimit.queue.AdmissionDecision.Kind;
import dev.postern.ratelimit.queue.AdmissionRequest.Claim;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class RoomTest {

    private static final long START = 1_000 * SECOND;

    private long now = START;
    private Room room = new Room(AdmissionRequests.rules(), START);

    @BeforeEach
    void useUpBaseRate() {
        assertThat(decide(enter("first")).kind()).isEqualTo(Kind.BASE);
    }

    @Test
    void admitsUpToBoundThenQueuesInOrder() {
        for (int i = 0; i < 3; i++) {
            assertThat(decide(enter("a" + i)).kind()).isEqualTo(Kind.ADMITTED);
        }
        for (int i = 1; i <= 4; i++) {
            AdmissionDecision decision = decide(enter("b" + i));
            assertThat(decision.kind()).isEqualTo(Kind.WAITING);
            assertThat(decision.position()).isEqualTo(i);
        }
    }

    @Test
    void passesWithinBaseRateWhileNoTicketWaits() {
        now += SECOND;
        assertThat(decide(enter("x")).kind()).isEqualTo(Kind.BASE);
    }

    @Test
    void onlyRequestsForTheSitePassWithinTheBaseRate() {
        now += SECOND;
        assertThat(decide(poll("x")).kind()).isEqualTo(Kind.LIMITED);
        assertThat(decide(visit(AdmissionRequest.Intent.KEEP, "x")).kind()).isEqualTo(Kind.LIMITED);
        assertThat(decide(fetch("x")).kind()).isEqualTo(Kind.BASE);
    }

    @Test
    void freezesBaseRateWhileATicketWaits() {
        fill();
        decide(enter("waiting"));
        now += 2 * SECOND;
        assertThat(decide(fetch("stranger")).kind()).isEqualTo(Kind.LIMITED);
        assertThat(decide(enter("stranger")).kind()).isEqualTo(Kind.WAITING);
    }

    @Test
    void countsBaseRateByKey() {
        assertThat(decide(new AdmissionRequest(
                                AdmissionRequest.Intent.FETCH, "s", "other", Claim.NONE, "", TenantShare.NONE))
                        .kind())
                .isEqualTo(Kind.BASE);
        assertThat(decide(new AdmissionRequest(
                                AdmissionRequest.Intent.FETCH, "s", "other", Claim.NONE, "", TenantShare.NONE))
                        .kind())
                .isEqualTo(Kind.LIMITED);
    }

    @Test
    void admitsTheSubresourcesOfAnAdmittedPage() {
        for (int i = 0; i < RoomRules.LEASE_REQUESTS; i++) {
            assertThat(decide(fetch("first")).kind()).isEqualTo(Kind.BASE);
        }
        assertThat(decide(fetch("first")).kind()).isEqualTo(Kind.LIMITED);
        assertThat(decide(fetch("second")).kind()).isEqualTo(Kind.LIMITED);
    }

    @Test
    void chargesSubresourcesToTheBaseRate() {
        for (int i = 0; i < 20; i++) {
            decide(fetch("first"));
        }
        now += 20 * SECOND;
        assertThat(decide(fetch("x")).kind()).isEqualTo(Kind.LIMITED);
        now += SECOND;
        assertThat(decide(fetch("x")).kind()).isEqualTo(Kind.BASE);
    }

    @Test
    void aSecondPageDoesNotUseTheLeaseOfTheFirst() {
        now += SECOND;
        assertThat(decide(visit(AdmissionRequest.Intent.PAGE, "s")).kind()).isEqualTo(Kind.BASE);
        assertThat(decide(enter("s")).kind()).as("may belong to the first").isEqualTo(Kind.BASE);
        assertThat(decide(visit(AdmissionRequest.Intent.PAGE, "s")).kind()).isEqualTo(Kind.ADMITTED);
    }

    @Test
    void eachPageOnTheBaseRateMayFetchItsSubresources() {
        now += SECOND;
        for (int page = 0; page < 3; page++) {
            assertThat(decide(visit(AdmissionRequest.Intent.PAGE, "s")).kind()).isEqualTo(Kind.BASE);
            for (int i = 0; i < RoomRules.LEASE_REQUESTS; i++) {
                assertThat(decide(fetch("s")).kind())
                        .as("page %d, part %d", page, i)
                        .isEqualTo(Kind.BASE);
            }
            now += (1 + RoomRules.LEASE_REQUESTS) * SECOND; // until the rate has paid for it
        }
    }

    @Test
    void closesTheBaseRateWhileFrozen() {
        room.freeze(now + 10 * SECOND);

        assertThat(decide(fetch("stranger")).kind()).isEqualTo(Kind.LIMITED);
        assertThat(decide(enter("s")).kind()).isEqualTo(Kind.WAITING);
        now += 10 * SECOND;
        assertThat(decide(fetch("stranger")).kind())
                .as("the silent ticket has left")
                .isEqualTo(Kind.BASE);
    }

    @Test
    void endsLeaseOfPage() {
        fill();
        decide(enter("waiting"));
        assertThat(decide(fetch("first")).kind()).isEqualTo(Kind.BASE);
        now += RoomRules.LEASE - SECOND;
        decide(poll("waiting"));
        now += SECOND;
        assertThat(decide(fetch("first")).kind()).isEqualTo(Kind.LIMITED);
    }

    @Test
    void keepsSlotsForAllTicketsFurtherAhead() {
        fill();
        decide(enter("w1"));
        decide(enter("w2"));
        decide(enter("w3"));
        decide(enter("w4"));
        endPasses("w1", "w2", "w3", "w4");
        assertThat(decide(poll("w4")).kind()).isEqualTo(Kind.WAITING);
        assertThat(decide(poll("w3")).kind()).isEqualTo(Kind.ADMITTED);
        assertThat(decide(poll("w2")).kind()).isEqualTo(Kind.ADMITTED);
        assertThat(decide(poll("w4")).kind()).isEqualTo(Kind.WAITING);
        assertThat(decide(poll("w1")).kind()).isEqualTo(Kind.ADMITTED);
        assertThat(decide(poll("w4")).position()).isEqualTo(1);
    }

    @Test
    void skipsAllAbsentTicketsAfterOneAbsence() {
        fill();
        for (int i = 0; i < 8; i++) {
            decide(enter("absent" + i));
        }
        now += SECOND;
        assertThat(decide(enter("present")).position()).isEqualTo(9);
        now += 4 * SECOND - 1;
        assertThat(decide(poll("present")).position()).isEqualTo(9);
        now += 1;
        assertThat(decide(poll("present")).position()).isEqualTo(1);
    }

    @Test
    void movesAnAbsentTicketToTheEnd() {
        fill();
        decide(enter("gone"));
        now += 4 * SECOND;
        decide(enter("present"));
        now += 4 * SECOND;
        assertThat(decide(poll("gone")).kind()).isEqualTo(Kind.LIMITED);
        assertThat(decide(enter("gone")).position()).isEqualTo(2);
    }

    @Test
    void extendsPassWithUseButNeverBeyondItsHardEnd() {
        decide(enter("a"));
        for (int second = 0; second < 60; second += 5) {
            assertThat(decide(fetch("a")).kind()).isEqualTo(Kind.ADMITTED);
            now += 5 * SECOND;
        }
        decide(enter("b"));
        assertThat(decide(new AdmissionRequest(
                                AdmissionRequest.Intent.RENEW, "a", "all", Claim.NONE, "", TenantShare.NONE))
                        .kind())
                .isEqualTo(Kind.LIMITED);
    }

    @Test
    void endsPassAfterSilence() {
        decide(enter("a"));
        now += 10 * SECOND;
        assertThat(room.snapshot(now).active()).isEqualTo(1);
        decide(poll("other"));
        assertThat(room.snapshot(now).active()).isZero();
    }

    @Test
    void keepsSlotOfRevokedPass() {
        fill();
        room.revoke("a0", now);
        assertThat(decide(enter("w")).kind()).isEqualTo(Kind.WAITING);
        assertThat(decide(enter("a0")).kind()).isEqualTo(Kind.WAITING);
        assertThat(room.snapshot(now).active()).isEqualTo(3);
    }

    @Test
    void refusesWhenQueueIsFull() {
        room = new Room(
                new RoomRules(
                        1, SECOND, SECOND, SECOND, 2, AdmissionRequests.rules().base()),
                now);
        decide(enter("x"));
        decide(enter("a"));
        decide(enter("b"));
        decide(enter("c"));
        assertThat(decide(enter("d")).kind()).isEqualTo(Kind.FULL);
    }

    @Test
    void admitsIntoFreeSlotsWithoutAQueue() {
        room = new Room(
                new RoomRules(
                        2, SECOND, SECOND, SECOND, 0, AdmissionRequests.rules().base()),
                now);
        decide(enter("x"));
        assertThat(decide(enter("a")).kind()).isEqualTo(Kind.ADMITTED);
        assertThat(decide(enter("b")).kind()).isEqualTo(Kind.ADMITTED);
        assertThat(decide(enter("c")).kind()).isEqualTo(Kind.FULL);
    }

    @Test
    void opensOneTicketPerCredential() {
        fill();
        assertThat(decide(withCredential("w1", "c1")).kind()).isEqualTo(Kind.WAITING);
        assertThat(decide(withCredential("w2", "c1")).kind()).isEqualTo(Kind.TAKEN);
        assertThat(decide(withCredential("w2", "c2")).kind()).isEqualTo(Kind.WAITING);
        assertThat(decide(withCredential("w1", "c1")).kind()).isEqualTo(Kind.WAITING);
    }

    @Test
    void acceptsTheCredentialThatOpenedAnAdmittedTicket() {
        fill();
        decide(withCredential("w", "c1"));
        endPasses("w");
        assertThat(decide(poll("w")).openedTicket()).isFalse();
        assertThat(decide(withCredential("w", "c1")).openedTicket()).isTrue();
        assertThat(decide(withCredential("w", "c2")).openedTicket()).isFalse();
    }

    @Test
    void admitsOnlyPassesOfItsFormerStateWhileFrozen() {
        room = new Room(AdmissionRequests.rules(), now);
        room.freeze(now + 10 * SECOND);
        decide(enter("x"));
        assertThat(decide(enter("new")).kind()).isEqualTo(Kind.WAITING);
        Claim pass = new Claim(7, 0, 0, now + SECOND, now + 20 * SECOND);
        assertThat(decide(claiming("old", pass)).kind()).isEqualTo(Kind.ADMITTED);
        for (int i = 0; i < 4; i++) {
            decide(claiming("old" + i, pass));
        }
        assertThat(room.snapshot(now).active()).isEqualTo(3);
    }

    @Test
    void ignoresClaimsOfItsOwnEpoch() {
        fill();
        Claim own = new Claim(START, START - 1, now, now + SECOND, now + 20 * SECOND);
        decide(enter("w"));
        endPasses("w");
        AdmissionDecision decision = decide(claiming("liar", own));
        assertThat(decision.ticket()).isZero();
        assertThat(decision.kind()).isEqualTo(Kind.ADMITTED);
        assertThat(decision.hard()).isEqualTo(now + 60 * SECOND);
    }

    @Test
    void restoresOrderFromTicketsOfItsFormerState() {
        fill();
        decide(enter("new"));
        Claim ticket = new Claim(7, START - 5, now - SECOND, 0, 0);
        assertThat(decide(claiming("old", ticket)).position()).isEqualTo(1);
        assertThat(decide(poll("new")).position()).isEqualTo(2);
        Claim silent = new Claim(7, START - 9, now - 5 * SECOND, 0, 0);
        assertThat(decide(claiming("silent", silent)).position()).isEqualTo(3);
    }

    @Test
    void vanishesWhenItIsEmpty() {
        fill();
        decide(enter("w"));
        assertThat(room.vanishes(now)).isFalse();
        now += 10 * SECOND;
        assertThat(room.vanishes(now)).isTrue();
    }

    @Test
    void keepsItsInvariantsThroughRandomHistories() {
        for (int seed = 0; seed < 200; seed++) {
            checkInvariants(new Random(seed));
        }
    }

    /** Checks three invariants: the limit holds, no position rises, no ticket overtakes a present one. */
    private void checkInvariants(Random random) {
        now = START;
        room = new Room(AdmissionRequests.rules(), now);
        Map<String, Long> shown = new HashMap<>();
        Map<String, Long> ends = new HashMap<>();
        Map<String, Long> tickets = new HashMap<>();
        for (int step = 0; step < 300; step++) {
            now += random.nextInt(3) == 0 ? random.nextInt((int) (2 * SECOND)) : random.nextInt(2);
            String subject = "s" + random.nextInt(14);
            AdmissionDecision decision = decide(random.nextInt(3) == 0 ? poll(subject) : enter(subject));
            if (decision.kind() == Kind.ADMITTED) {
                Long mine = tickets.remove(subject);
                if (mine != null) {
                    Set<String> ahead = new HashSet<>();
                    tickets.forEach((other, ticket) -> {
                        if (ticket < mine) {
                            ahead.add(other);
                        }
                    });
                    long free = 3 - live(ends);
                    assertThat((long) present(ahead)).isLessThan(free);
                }
                ends.put(subject, decision.end());
                shown.remove(subject);
            } else if (decision.kind() == Kind.WAITING) {
                if (Long.valueOf(decision.ticket()).equals(tickets.put(subject, decision.ticket()))) {
                    assertThat(decision.position()).isLessThanOrEqualTo(shown.get(subject));
                }
                shown.put(subject, decision.position());
            } else {
                tickets.remove(subject);
            }
            heard.put(subject, now);
            assertThat(live(ends)).isLessThanOrEqualTo(3);
            assertThat(decision.room().active()).isLessThanOrEqualTo(3);
        }
    }

    private final Map<String, Long> heard = new HashMap<>();

    private long live(Map<String, Long> ends) {
        return ends.values().stream().filter(end -> end > now).count();
    }

    private int present(Set<String> sessions) {
        List<String> present = new ArrayList<>();
        for (String session : sessions) {
            if (heard.getOrDefault(session, 0L) > now - 5 * SECOND) {
                present.add(session);
            }
        }
        return present.size();
    }

    private void fill() {
        for (int i = 0; i < 3; i++) {
            assertThat(decide(enter("a" + i)).kind()).isEqualTo(Kind.ADMITTED);
        }
    }

    /** Lets the three passes lapse while the given sessions stay present. */
    private void endPasses(String... waiting) {
        for (int i = 0; i < 2; i++) {
            now += 4 * SECOND;
            for (String session : waiting) {
                decide(poll(session));
            }
        }
        now += 2 * SECOND;
    }

    private AdmissionDecision decide(AdmissionRequest request) {
        return room.decide(request, now);
    }
}
