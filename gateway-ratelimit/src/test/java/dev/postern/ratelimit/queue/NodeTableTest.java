package dev.postern.ratelimit.queue;

import static dev.postern.ratelimit.queue.AdmissionRequests.SECOND;
import static dev.postern.ratelimit.queue.AdmissionRequests.claiming;
import static dev.postern.ratelimit.queue.AdmissionRequests.enter;
import static dev.postern.ratelimit.queue.AdmissionRequests.poll;
import static dev.postern.ratelimit.queue.AdmissionRequests.visit;
import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.ratelimit.queue.AdmissionDecision.Kind;
import dev.postern.ratelimit.queue.AdmissionRequest.Claim;
import dev.postern.ratelimit.queue.AdmissionRequest.Intent;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests a room of two nodes: three slots, 10 s of silence, passes of 60 s, 5 s of absence. */
class NodeTableTest {

    private static final long START = 1_000 * SECOND;

    private long now = START;
    private Room room = new Room(AdmissionRequests.rules(), START);

    @BeforeEach
    void fill() {
        reportUntil("one", now);
        reportUntil("two", now);
        assertThat(decide(enter("base")).kind()).isEqualTo(Kind.BASE);
        for (int i = 0; i < 3; i++) {
            assertThat(decide(enter("a" + i)).kind()).isEqualTo(Kind.ADMITTED);
        }
        assertThat(decide(enter("w")).kind()).isEqualTo(Kind.WAITING);
    }

    private void reportUntil(String node, long reported) {
        room.report(new RoomReport(node, START, reported, 2, 2), now);
    }

    private AdmissionDecision decide(AdmissionRequest request) {
        return room.decide(request, now);
    }

    /** Lets both nodes report once a second: the first reports everything, the second nothing since the start. */
    private void pass(int seconds, String... waiting) {
        for (int i = 0; i < seconds; i++) {
            now += SECOND;
            reportUntil("one", now);
            reportUntil("two", START);
            for (String session : waiting) {
                decide(poll(session));
            }
        }
    }

    @Test
    void passesKeepTheirSlotsUntilEveryNodeReportedTheirSilence() {
        pass(11, "w");
        assertThat(decide(poll("w")).kind()).isEqualTo(Kind.WAITING);
        reportUntil("two", now);
        assertThat(decide(poll("w")).kind()).isEqualTo(Kind.ADMITTED);
    }

    @Test
    void passesEndAtTheirHardEndWithoutReports() {
        pass(59, "w");
        assertThat(room.snapshot(now).active()).isEqualTo(3);
        pass(1, "w");
        assertThat(room.snapshot(now).active()).isEqualTo(1);
    }

    @Test
    void aRevocationAfterTheHardEndKeepsNoSlot() {
        pass(59, "w");
        now += SECOND;
        for (int i = 0; i < 3; i++) {
            room.revoke("a" + i, now);
        }
        assertThat(decide(poll("w")).kind()).isEqualTo(Kind.ADMITTED);
    }

    @Test
    void aNodeWithOlderKnowledgeThanTheRoomStopsAdmissions() {
        now += SECOND;
        long epoch = now;
        room = new Room(AdmissionRequests.rules(), epoch);
        room.report(new RoomReport("new", 0, 0, 0, 2), now);
        assertThat(decide(enter("base")).kind()).isEqualTo(Kind.BASE);
        assertThat(decide(enter("b")).kind()).isEqualTo(Kind.ADMITTED);

        room.report(new RoomReport("one", START, now, 2, 2), now);
        assertThat(decide(enter("c")).kind()).isEqualTo(Kind.WAITING);

        room.report(new RoomReport("one", epoch, now, 2, 2), ++now);
        assertThat(decide(poll("c")).kind()).isEqualTo(Kind.ADMITTED);
    }

    @Test
    void aPauseOfTheRoomIsNoAbsence() {
        decide(enter("gone"));
        now += 30 * SECOND;
        reportUntil("one", START);
        assertThat(decide(visit(Intent.KEEP, "w")).position()).isEqualTo(1);
        reportUntil("one", now);
        assertThat(decide(poll("w")).position()).isEqualTo(1);
        reportUntil("two", now);
        assertThat(room.snapshot(now).waiting())
                .as("a ticket that no node reported has left")
                .isEqualTo(1);
        assertThat(decide(poll("w")).kind()).isEqualTo(Kind.ADMITTED);
    }

    @Test
    void theQueueWaitsForASilentNodeForALimitedTime() {
        decide(enter("gone"));
        decide(enter("present"));
        for (int i = 0; i < 14; i++) {
            now += SECOND;
            reportUntil("one", now);
            decide(poll("w"));
            decide(poll("present"));
        }
        assertThat(decide(poll("present")).position()).isEqualTo(3);
        now += 2 * SECOND;
        reportUntil("one", now);
        assertThat(decide(poll("present")).position()).isEqualTo(2);
    }

    @Test
    void keepingATicketAdmitsNoClient() {
        now += 4 * SECOND;
        decide(poll("w"));
        now += 4 * SECOND;
        decide(poll("w"));
        now += 3 * SECOND;
        reportUntil("one", now);
        reportUntil("two", now);
        assertThat(decide(visit(Intent.KEEP, "w")).kind()).isEqualTo(Kind.WAITING);
        assertThat(decide(visit(Intent.KEEP, "stranger")).kind()).isEqualTo(Kind.LIMITED);
        assertThat(decide(poll("w")).kind()).isEqualTo(Kind.ADMITTED);
    }

    @Test
    void aNodeThatLeavesIsNotAwaited() {
        pass(11, "w");
        room.leave("two");
        assertThat(decide(poll("w")).kind()).isEqualTo(Kind.ADMITTED);
    }

    @Test
    void aReplacementNodeEndsTheWaitForASilentNode() {
        for (int i = 0; i < 11; i++) {
            now += SECOND;
            reportUntil("one", now);
            decide(poll("w"));
        }
        assertThat(decide(poll("w")).kind()).isEqualTo(Kind.WAITING);
        reportUntil("three", now);
        assertThat(decide(poll("w")).kind()).isEqualTo(Kind.ADMITTED);
        assertThat(room.nodes()).isEqualTo(2);
    }

    @Test
    void removesANodeWhosePassesHaveAllEnded() {
        now += 121 * SECOND;
        reportUntil("one", now);
        assertThat(room.nodes()).isOne();
    }

    private void loseMemory() {
        now += 20 * SECOND;
        room = new Room(AdmissionRequests.rules(), now);
        room.freeze(now + AdmissionRequests.rules().pass());
    }

    private void report(String node, long known) {
        room.report(new RoomReport(node, known, now, 2, 5), now);
    }

    @Test
    void aRoomThatLostItsStateContinuesWhenEnoughNodesHaveReported() {
        loseMemory();
        long epoch = now;
        report("one", START);
        decide(visit(Intent.KEEP, "absent"));
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
    void silenceEndsNoPassWhileReportsAreMissing() {
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
    void aLostNodeBlocksTheRoomNoLongerThanOnePass() {
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
