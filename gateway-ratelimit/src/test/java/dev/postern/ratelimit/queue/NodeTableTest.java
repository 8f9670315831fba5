package dev.postern.ratelimit.queue;

import static dev.postern.ratelimit.queue.Visits.SECOND;
import static dev.postern.ratelimit.queue.Visits.claiming;
import static dev.postern.ratelimit.queue.Visits.enter;
import static dev.postern.ratelimit.queue.Visits.poll;
import static dev.postern.ratelimit.queue.Visits.visit;
import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.ratelimit.queue.AdmissionDecision.Kind;
import dev.postern.ratelimit.queue.AdmissionRequest.Claim;
import dev.postern.ratelimit.queue.AdmissionRequest.Intent;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A room that two nodes share: three slots, 10 s of silence, passes of 60 s, 5 s of absence. */
class NodeTableTest {

    private static final long START = 1_000 * SECOND;

    private long now = START;
    private Room room = new Room(Visits.rules(), START);

    @BeforeEach
    void fill() {
        tell("one", now);
        tell("two", now);
        assertThat(decide(enter("base")).kind()).isEqualTo(Kind.BASE);
        for (int i = 0; i < 3; i++) {
            assertThat(decide(enter("a" + i)).kind()).isEqualTo(Kind.ADMITTED);
        }
        assertThat(decide(enter("w")).kind()).isEqualTo(Kind.WAITING);
    }

    private void tell(String node, long reported) {
        room.report(new RoomReport(node, START, reported, 2, 2), now);
    }

    private AdmissionDecision decide(AdmissionRequest request) {
        return room.decide(request, now);
    }

    /** Both call once a second, the one has told all, the other nothing since the beginning. */
    private void pass(int seconds, String... waiting) {
        for (int i = 0; i < seconds; i++) {
            now += SECOND;
            tell("one", now);
            tell("two", START);
            for (String session : waiting) {
                decide(poll(session));
            }
        }
    }

    @Test
    void passesKeepTheirSlotsWhileANodeHasNotToldThatTheyWereSilent() {
        pass(11, "w");
        assertThat(decide(poll("w")).kind()).isEqualTo(Kind.WAITING);
        tell("two", now);
        assertThat(decide(poll("w")).kind()).isEqualTo(Kind.ADMITTED);
    }

    @Test
    void theirHardEndComesAnyway() {
        pass(59, "w");
        assertThat(room.snapshot(now).active()).isEqualTo(3);
        pass(1, "w");
        assertThat(room.snapshot(now).active()).isEqualTo(1);
    }

    @Test
    void aPauseOfTheRoomIsNoAbsence() {
        decide(enter("gone"));
        now += 30 * SECOND;
        tell("one", START);
        assertThat(decide(visit(Intent.KEEP, "w")).position()).isEqualTo(1);
        tell("one", now);
        assertThat(decide(poll("w")).position()).isEqualTo(1);
        tell("two", now);
        assertThat(room.snapshot(now).waiting())
                .as("who was heard from nowhere has left")
                .isEqualTo(1);
        assertThat(decide(poll("w")).kind()).isEqualTo(Kind.ADMITTED);
    }

    @Test
    void theLineWaitsForASilentNodeNotForEver() {
        decide(enter("gone"));
        decide(enter("present"));
        for (int i = 0; i < 9; i++) {
            now += SECOND;
            tell("one", now);
            decide(poll("w"));
            decide(poll("present"));
        }
        assertThat(decide(poll("present")).position()).isEqualTo(3);
        now += 2 * SECOND;
        tell("one", now);
        assertThat(decide(poll("present")).position()).isEqualTo(2);
    }

    @Test
    void toKeepAPlaceAdmitsNobody() {
        now += 4 * SECOND;
        decide(poll("w"));
        now += 4 * SECOND;
        decide(poll("w"));
        now += 3 * SECOND;
        tell("one", now);
        tell("two", now);
        assertThat(decide(visit(Intent.KEEP, "w")).kind()).isEqualTo(Kind.WAITING);
        assertThat(decide(visit(Intent.KEEP, "stranger")).kind()).isEqualTo(Kind.LIMITED);
        assertThat(decide(poll("w")).kind()).isEqualTo(Kind.ADMITTED);
    }

    @Test
    void aNodeThatSaysGoodbyeIsNotWaitedFor() {
        pass(11, "w");
        room.leave("two");
        assertThat(decide(poll("w")).kind()).isEqualTo(Kind.ADMITTED);
    }

    @Test
    void aNodeInTheirPlaceEndsTheWaitForASilentOne() {
        for (int i = 0; i < 11; i++) {
            now += SECOND;
            tell("one", now);
            decide(poll("w"));
        }
        assertThat(decide(poll("w")).kind()).isEqualTo(Kind.WAITING);
        tell("three", now);
        assertThat(decide(poll("w")).kind()).isEqualTo(Kind.ADMITTED);
        assertThat(room.nodes()).isEqualTo(2);
    }

    @Test
    void aNodeOfWhichAllPassesAreOverIsForgotten() {
        now += 121 * SECOND;
        tell("one", now);
        assertThat(room.nodes()).isOne();
    }

    private void loseMemory() {
        now += 20 * SECOND;
        room = new Room(Visits.rules(), now);
        room.freeze(now + Visits.rules().pass());
    }

    private void report(String node, long known) {
        room.report(new RoomReport(node, known, now, 2, 5), now);
    }

    @Test
    void aRoomThatLostItsMemoryGoesOnWhenAsManyNodesHaveToldAsSharedIt() {
        loseMemory();
        long epoch = now;
        report("one", START);
        decide(visit(Intent.KEEP, "nobody"));
        Claim ticket = new Claim(START, START - 5, now, 0, 0);
        assertThat(decide(new AdmissionRequest(Intent.KEEP, "w", "", ticket, "", TenantShare.NONE))
                        .kind())
                .isEqualTo(Kind.WAITING);
        report("one", epoch);
        assertThat(decide(enter("new")).kind()).isEqualTo(Kind.WAITING);
        report("two", START);
        Claim pass = new Claim(START, 0, 0, now + SECOND, now + 40 * SECOND);
        for (int i = 0; i < 3; i++) {
            assertThat(decide(claiming("a" + i, pass)).kind()).isEqualTo(Kind.ADMITTED);
        }
        report("two", epoch);
        assertThat(decide(poll("w")).position()).isEqualTo(1);
        assertThat(decide(enter("new")).position()).isEqualTo(2);
    }

    @Test
    void silenceEndsNoPassWhileNodesHaveStillToTell() {
        loseMemory();
        long epoch = now;
        report("one", START);
        Claim pass = new Claim(START, 0, 0, now + SECOND, now + 40 * SECOND);
        decide(claiming("a0", pass));
        now += 15 * SECOND;
        report("one", epoch);
        assertThat(room.snapshot(now).active()).isEqualTo(1);
    }

    @Test
    void aNodeThatNeverComesBackKeepsItNoLongerThanAPassLasts() {
        loseMemory();
        long epoch = now;
        report("one", START);
        report("one", epoch);
        now += 60 * SECOND - 1;
        assertThat(decide(enter("new")).kind()).isEqualTo(Kind.WAITING);
        now += 1;
        assertThat(decide(enter("new")).kind()).isEqualTo(Kind.ADMITTED);
    }
}
