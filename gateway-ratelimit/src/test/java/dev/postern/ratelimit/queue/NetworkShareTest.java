package dev.postern.ratelimit.queue;

import static dev.postern.ratelimit.queue.AdmissionRequests.SECOND;
import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.core.rate.Gcra;
import dev.postern.ratelimit.queue.AdmissionDecision.Kind;
import dev.postern.ratelimit.queue.AdmissionRequest.Claim;
import dev.postern.ratelimit.queue.AdmissionRequest.Intent;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** Tests the share of one client network in the places of a room: floods, large honest networks, and the counts of places. */
class NetworkShareTest {

    private static final int MAX_WAITING = 300;
    private static final int SHARE = 5;
    /** Microseconds between two requests. */
    private static final int STEP = 10;

    private static final String ATTACKER = "attacker";
    private static final String NAT = "nat";
    private static final TenantShare TENANT = new TenantShare("tenant", 1);

    private long now = 1_700_000_000L * SECOND;
    private Room room = room(MAX_WAITING, SHARE);
    /** Last claim of each session, as in its cookie. */
    private final Map<String, Claim> claims = new HashMap<>();

    /** Creates a room with one slot, which is in use. */
    private Room room(int maxWaiting, int perNetwork) {
        Gcra none = new Gcra(3_600 * SECOND, 0);
        RoomRules rules =
                new RoomRules(1, 3_600 * SECOND, 3_600 * SECOND, 20 * SECOND, maxWaiting, none).perNetwork(perNetwork);
        Room created = new Room(rules, now);
        created.decide(AdmissionRequests.enter("rate"), now);
        assertThat(created.decide(AdmissionRequests.enter("admitted"), now).kind())
                .isEqualTo(Kind.ADMITTED);
        return created;
    }

    /** Sends a request without a cookie. */
    private AdmissionDecision enter(String network, String session) {
        claims.remove(session);
        return send(Intent.PAGE, network, session, TenantShare.NONE);
    }

    private AdmissionDecision poll(String network, String session) {
        return send(Intent.POLL, network, session, TenantShare.NONE);
    }

    private AdmissionDecision send(Intent intent, String network, String session, TenantShare share) {
        Claim claim = claims.getOrDefault(session, Claim.NONE);
        AdmissionRequest request = new AdmissionRequest(intent, session, "all", claim, "", share).countedFor(network);
        AdmissionDecision decision = room.decide(request, now);
        now += STEP;
        long seen = decision.room().now();
        claims.put(
                session, new Claim(decision.room().epoch(), decision.ticket(), seen, decision.end(), decision.hard()));
        return decision;
    }

    private long waiting() {
        return room.snapshot(now).waiting();
    }

    @Test
    void aFloodThatNeverComesBackTakesTheShareAlone() {
        for (int i = 0; i < 360; i++) {
            Kind kind = enter(ATTACKER, "a" + i).kind();
            assertThat(kind).isEqualTo(i < SHARE ? Kind.WAITING : Kind.DEFERRED);
        }
        assertThat(waiting()).isEqualTo(SHARE);
        assertThat(enter(NAT, "visitor").kind()).isEqualTo(Kind.WAITING);
    }

    @Test
    void aPollTakesThePlaceAtTheTimeOfTheFirstRequest() {
        for (int i = 0; i <= SHARE; i++) {
            enter(NAT, "n" + i);
        }
        AdmissionDecision later = enter("other", "later");
        assertThat(later.position()).isEqualTo(SHARE + 1);
        assertThat(poll(NAT, "n" + SHARE).position()).isEqualTo(SHARE + 1);
        assertThat(poll("other", "later").position()).isEqualTo(SHARE + 2);
    }

    @Test
    void aReloadTakesThePlaceToo() {
        for (int i = 0; i <= SHARE; i++) {
            enter(NAT, "n" + i);
        }
        assertThat(send(Intent.PAGE, NAT, "n" + SHARE, TenantShare.NONE).kind()).isEqualTo(Kind.WAITING);
    }

    @Test
    void aPartOfAPageTakesNoPlace() {
        for (int i = 0; i <= SHARE; i++) {
            enter(NAT, "n" + i);
        }
        assertThat(send(Intent.FETCH, NAT, "n" + SHARE, TenantShare.NONE).kind())
                .isEqualTo(Kind.LIMITED);
    }

    @Test
    void whoComesBackTooLateIsDeferredAgain() {
        for (int i = 0; i <= SHARE; i++) {
            enter(NAT, "n" + i);
        }
        now += 15 * SECOND;
        for (int i = 0; i < SHARE; i++) {
            poll(NAT, "n" + i);
        }
        now += 15 * SECOND + 1;
        AdmissionDecision late = send(Intent.PAGE, NAT, "n" + SHARE, TenantShare.NONE);
        assertThat(late.kind()).isEqualTo(Kind.DEFERRED);
        assertThat(late.ticket()).isEqualTo(-(now - STEP));
        assertThat(poll(NAT, "n" + SHARE).kind()).isEqualTo(Kind.WAITING);
    }

    @Test
    void comesBackInTimeHoweverLongThePollsAreApart() {
        RoomRules slow =
                new RoomRules(1, 1, 1, 3_600 * SECOND, 3_600 * SECOND, 1_000_000, new Gcra(1, 0), now + 3_600 * SECOND);
        assertThat(slow.comeBack(1_000_000, now)).isLessThanOrEqualTo(RoomRules.RETURN / 2);
        assertThat(slow.comeBack(0, now)).isLessThanOrEqualTo(RoomRules.RETURN / 2);
        assertThat(slow.comeBack(1, now)).isEqualTo(slow.poll(1));
    }

    @Test
    void oneNetworkThatPollsNeverTakesTheLastPlaces() {
        for (int i = 0; i < 360; i++) {
            enter(ATTACKER, "a" + i);
            poll(ATTACKER, "a" + i);
        }
        assertThat(waiting()).isEqualTo(MAX_WAITING / 2);
        for (int i = 0; i < 100; i++) {
            assertThat(enter("net" + i, "v" + i).kind()).isEqualTo(Kind.WAITING);
        }
    }

    @Test
    void aLargeHonestNetworkWaitsBesideAFlood() {
        room = room(3_000, 30);
        for (int i = 0; i < 5_000; i++) {
            enter(ATTACKER, "a" + i);
            if (i % 5 == 0) {
                enter(NAT, "n" + i / 5);
            }
        }
        for (int i = 0; i < 1_000; i++) {
            assertThat(poll(NAT, "n" + i).kind()).isEqualTo(Kind.WAITING);
        }
        assertThat(waiting()).isEqualTo(1_030);
    }

    @Test
    void aLargeHonestNetworkSharesWithAnAttackerThatPolls() {
        room = room(3_000, 30);
        for (int i = 0; i < 5_000; i++) {
            enter(ATTACKER, "a" + i);
            poll(ATTACKER, "a" + i);
        }
        long attacker = waiting();
        assertThat(attacker).isEqualTo(1_500);
        int placed = 0;
        for (int i = 0; i < 1_000; i++) {
            enter(NAT, "n" + i);
            placed += poll(NAT, "n" + i).kind() == Kind.WAITING ? 1 : 0;
        }
        assertThat(placed)
                .isEqualTo(750); // half of what is free; the others get a place as soon as one of these leaves
        room.revoke("n0", now);
        assertThat(poll(NAT, "n999").kind()).isEqualTo(Kind.WAITING);
        assertThat(enter("home", "visitor").kind()).isEqualTo(Kind.WAITING);
    }

    @Test
    void placesThatEndNoLongerCount() {
        for (int i = 0; i < SHARE; i++) {
            enter(NAT, "n" + i);
        }
        room.revoke("n0", now);
        assertThat(enter(NAT, "second").kind()).isEqualTo(Kind.WAITING);
        room.rules(twoSlots());
        assertThat(poll(NAT, "n1").kind()).isEqualTo(Kind.ADMITTED);
        assertThat(enter(NAT, "third").kind()).isEqualTo(Kind.WAITING);
        assertThat(enter(NAT, "fourth").kind()).isEqualTo(Kind.DEFERRED);
        now += 23 * SECOND; // all are absent
        assertThat(enter(NAT, "fifth").kind()).isEqualTo(Kind.WAITING);
    }

    private static RoomRules twoSlots() {
        return new RoomRules(2, 3_600 * SECOND, 3_600 * SECOND, 20 * SECOND, MAX_WAITING, new Gcra(3_600 * SECOND, 0))
                .perNetwork(SHARE);
    }

    @Test
    void aFreeSlotIsGivenAtOnce() {
        for (int i = 0; i < SHARE; i++) {
            enter(NAT, "n" + i);
        }
        room.rules(twoSlots().sessions(2 + SHARE));
        assertThat(enter(NAT, "next").kind()).isEqualTo(Kind.ADMITTED);
    }

    @Test
    void aNetworkWithoutPlacesTakesNoMemory() {
        NetworkPlaces places = new NetworkPlaces();
        for (int i = 0; i < 1_000; i++) {
            places.taken("net" + i);
        }
        places.taken("net0");
        places.taken("");
        for (int i = 0; i < 1_000; i++) {
            places.left("net" + i);
        }
        places.left("");
        places.left("unknown");
        assertThat(places.size()).isOne();
        assertThat(places.of("net0")).isOne();
        assertThat(places.of("")).isZero();
    }

    @Test
    void amongTenantsThePageTakesThePlaceAndNotThePoll() {
        for (int i = 0; i < SHARE; i++) {
            enter(NAT, "n" + i);
        }
        AdmissionDecision deferred = send(Intent.PAGE, NAT, "tenant", TENANT);
        assertThat(deferred.kind()).isEqualTo(Kind.DEFERRED);
        assertThat(deferred.ticket()).isEqualTo(Claim.NO_TICKET);
        Claim cookie = claims.get("tenant");
        assertThat(poll(NAT, "tenant").kind()).isEqualTo(Kind.LIMITED);
        claims.put("tenant", cookie);
        assertThat(send(Intent.PAGE, NAT, "tenant", TENANT).kind()).isEqualTo(Kind.WAITING);
    }

    @Test
    void aTokenOpensOneTicketAlsoWhileItIsDeferred() {
        for (int i = 0; i < SHARE; i++) {
            enter(NAT, "n" + i);
        }
        assertThat(withToken("first")).isEqualTo(Kind.DEFERRED);
        assertThat(withToken("second")).isEqualTo(Kind.TAKEN);
    }

    private Kind withToken(String session) {
        AdmissionRequest request =
                AdmissionRequests.withCredential(session, "cafe").countedFor(NAT);
        return room.decide(request, now++).kind();
    }

    @Test
    void placesFromBeforeALossOfMemoryAreRestoredBeyondTheShare() {
        Room after = new Room(twoSlots(), now);
        after.freeze(now + SECOND);
        for (int i = 0; i < 2 * SHARE; i++) {
            Claim lost = new Claim(7, now - SECOND + i, now - 1, 0, 0);
            AdmissionRequest back = AdmissionRequests.claiming("s" + i, lost).countedFor(NAT);
            assertThat(after.decide(back, now).kind()).isEqualTo(Kind.WAITING);
        }
        Claim deferredBefore = new Claim(7, -(now - SECOND), now - 1, 0, 0);
        AdmissionRequest next =
                AdmissionRequests.claiming("next", deferredBefore).countedFor(NAT);
        assertThat(after.decide(next, now).kind()).isEqualTo(Kind.DEFERRED);
    }

    @Test
    void beforeTheOpeningAPollTakesPartInTheLot() {
        RoomRules closed = new RoomRules(
                        1,
                        3_600 * SECOND,
                        3_600 * SECOND,
                        20 * SECOND,
                        20 * SECOND,
                        MAX_WAITING,
                        new Gcra(SECOND, 0),
                        now + 60 * SECOND)
                .perNetwork(SHARE);
        room = new Room(closed, now);
        for (int i = 0; i < SHARE; i++) {
            enter(NAT, "n" + i);
        }
        AdmissionDecision deferred = enter(NAT, "late");
        assertThat(deferred.kind()).isEqualTo(Kind.DEFERRED);
        assertThat(deferred.estimate()).isEqualTo(60 * SECOND - SHARE * STEP);
        AdmissionDecision placed = poll(NAT, "late");
        assertThat(placed.kind()).isEqualTo(Kind.WAITING);
        assertThat(placed.ticket()).isLessThan(closed.opens());
    }

    @Test
    void aPollWithoutADeferredPlaceTakesNone() {
        claims.put("x", new Claim(room.snapshot(now).epoch(), 0, now, 0, 0));
        assertThat(poll(NAT, "x").kind()).isEqualTo(Kind.LIMITED);
    }

    @Test
    void theShareCountsWhereAsManyWaitAsSlotsAreFree() {
        Gcra none = new Gcra(3_600 * SECOND, 0);
        room = new Room(
                new RoomRules(2, 3_600 * SECOND, 3_600 * SECOND, 20 * SECOND, MAX_WAITING, none).perNetwork(1), now);
        room.decide(AdmissionRequests.enter("rate"), now);
        assertThat(enter("other", "admitted").kind()).isEqualTo(Kind.ADMITTED);
        room.control(RoomOverrides.NONE.in(RoomMode.PAUSED).at(1));
        assertThat(enter(NAT, "first").kind()).isEqualTo(Kind.WAITING);
        assertThat(enter(NAT, "second").kind()).isEqualTo(Kind.DEFERRED);
    }

    @Test
    void theTimeToComeBackBeginsAtOnceAndEndsExactly() {
        assertThat(comesBackAfter(0)).isEqualTo(Kind.WAITING);
        assertThat(comesBackAfter(RoomRules.RETURN - 1)).isEqualTo(Kind.WAITING);
        assertThat(comesBackAfter(RoomRules.RETURN)).isEqualTo(Kind.DEFERRED);
    }

    private Kind comesBackAfter(long time) {
        room = room(MAX_WAITING, SHARE);
        for (int i = 0; i <= SHARE; i++) {
            enter(NAT, "n" + i);
        }
        long seen = Objects.requireNonNull(claims.get("n" + SHARE)).seen();
        if (time > 0) {
            now = seen + time / 2;
            for (int i = 0; i < SHARE; i++) {
                poll(NAT, "n" + i);
            }
        }
        now = seen + time;
        return send(Intent.PAGE, NAT, "n" + SHARE, TenantShare.NONE).kind();
    }

    @Test
    void aDeferredSessionIsToldTheTimeOfThePlaceThatItWouldHave() {
        for (int i = 0; i < SHARE; i++) {
            enter(NAT, "n" + i);
        }
        AdmissionDecision deferred = enter(NAT, "n" + SHARE);
        AdmissionDecision next = enter("other", "next");
        assertThat(deferred.kind()).isEqualTo(Kind.DEFERRED);
        assertThat(next.position()).isEqualTo(SHARE + 1);
        assertThat(deferred.estimate()).isEqualTo(next.estimate());
        assertThat(deferred.retry()).isEqualTo(next.retry());
    }
}
