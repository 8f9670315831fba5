package dev.postern.ratelimit.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.core.rate.Gcra;
import dev.postern.core.testing.ManualClock;
import dev.postern.ratelimit.queue.AdmissionDecision;
import dev.postern.ratelimit.queue.AdmissionDecision.Kind;
import dev.postern.ratelimit.queue.AdmissionDecision.Snapshot;
import dev.postern.ratelimit.queue.AdmissionRequest;
import dev.postern.ratelimit.queue.AdmissionRequest.Claim;
import dev.postern.ratelimit.queue.AdmissionRequest.Intent;
import dev.postern.ratelimit.queue.RoomRules;
import dev.postern.ratelimit.store.Micros;
import dev.postern.ratelimit.store.PassCache;
import dev.postern.ratelimit.store.RoomKey;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests up to which time a node reports, and what it reports to a room with another clock. */
class NodeKnowledgeTest {

    private static final long SECOND = 1_000_000;
    private static final RoomKey ROOM = new RoomKey(
            "site", "site", new RoomRules(1, 600 * SECOND, 10 * SECOND, 20 * SECOND, 10, new Gcra(SECOND, 0)));

    private final ManualClock clock = new ManualClock(Instant.parse("2026-11-20T12:00:00Z"));
    private final PassCache passes = new PassCache();
    private final NodeKnowledge knowledge = new NodeKnowledge(passes, clock);

    private void run(long seconds) {
        for (long i = 0; i < 4 * seconds; i++) {
            pause(SECOND / 4);
        }
    }

    private void pause(long micros) {
        clock.advance(Duration.ofNanos(1_000 * micros));
        knowledge.look(List.of(ROOM));
    }

    private long reportedAgo() {
        return Micros.of(clock) - knowledge.reportedUntil(ROOM.id());
    }

    @Test
    void aNodeThatRunsReportsUpToNow() {
        run(30);
        assertThat(reportedAgo()).isZero();
    }

    @Test
    void aPauseOfTheNodeIsNoSilenceOfItsClients() {
        run(30);
        pause(25 * SECOND);
        assertThat(reportedAgo()).isEqualTo(25 * SECOND);
        run(19);
        assertThat(reportedAgo())
                .as("a client may have been silent for 1 s before the pause")
                .isEqualTo(25 * SECOND);
        run(1);
        assertThat(reportedAgo()).isZero();
    }

    @Test
    void aPlaceIsRememberedAfterAPause() {
        AdmissionRequest poll = AdmissionRequest.of(Intent.POLL, "s", Claim.NONE);
        Snapshot room = new Snapshot(7, 7, 1, 1);
        knowledge.note(
                ROOM, poll, new AdmissionDecision(Kind.WAITING, 1, 0, 0, 42, 0, 0, false, room), Micros.of(clock));
        run(5);
        pause(25 * SECOND);
        assertThat(knowledge.all(ROOM, instant -> instant)).hasSize(1);
        run(15);
        assertThat(knowledge.all(ROOM, instant -> instant)).isEmpty();
    }

    @Test
    void aPlaceThatWasEndedIsNotReported() {
        AdmissionRequest poll = AdmissionRequest.of(Intent.POLL, "s", Claim.NONE);
        Snapshot room = new Snapshot(7, 7, 1, 1);
        knowledge.note(
                ROOM, poll, new AdmissionDecision(Kind.WAITING, 1, 0, 0, 42, 0, 0, false, room), Micros.of(clock));
        knowledge.forget(ROOM, "s");
        assertThat(knowledge.all(ROOM, instant -> instant)).isEmpty();
    }

    @Test
    void aPassIsReportedInTheTimeOfTheRoomThatIsAsked() {
        long now = Micros.of(clock);
        Snapshot room = new Snapshot(now - 7, 7, 0, 1);
        passes.note(
                ROOM,
                "s",
                new AdmissionDecision(
                        Kind.ADMITTED, 0, 0, 0, 0, now - 7 + 10 * SECOND, now - 7 + 600 * SECOND, false, room),
                now);
        long behind = 3_600 * SECOND;
        assertThat(knowledge.all(ROOM, instant -> instant - behind))
                .extracting(AdmissionRequest::claim)
                .containsExactly(new Claim(7, 0, 0, now + 10 * SECOND - behind, now + 600 * SECOND - behind));
    }

    private void noteUnanswered(Claim claim) {
        AdmissionRequest poll = AdmissionRequest.of(Intent.POLL, "s", claim);
        knowledge.note(ROOM, poll, AdmissionDecision.unknown(1), Micros.of(clock));
    }

    @Test
    void aPlaceThatOnlyTheClientKnowsIsReported() {
        noteUnanswered(new Claim(7, 42, 1, 0, 0));
        assertThat(knowledge.unreported(ROOM, instant -> instant))
                .extracting(request -> request.claim().ticket())
                .containsExactly(42L);
    }

    @Test
    void aSessionWithoutAPlaceIsNotReported() {
        noteUnanswered(Claim.NONE);
        AdmissionRequest page = AdmissionRequest.of(Intent.PAGE, "t", Claim.NONE);
        knowledge.note(ROOM, page, AdmissionDecision.limit(true, 0), Micros.of(clock));
        knowledge.forget(ROOM, "t");
        assertThat(knowledge.unreported(ROOM, instant -> instant)).isEmpty();
    }

    @Test
    void reportsUpToTheFirstRequestWithoutAResponse() {
        run(30);
        noteUnanswered(new Claim(7, 42, 1, 0, 0));
        run(5);
        assertThat(reportedAgo()).isEqualTo(5 * SECOND);
        AdmissionRequest keep = AdmissionRequest.of(Intent.KEEP, "s", new Claim(7, 42, 1, 0, 0));
        Snapshot room = new Snapshot(7, 7, 1, 1);
        knowledge.note(
                ROOM, keep, new AdmissionDecision(Kind.WAITING, 1, 0, 0, 42, 0, 0, false, room), Micros.of(clock));
        pause(SECOND / 4);
        assertThat(reportedAgo()).isZero();
    }

    @Test
    void aConfirmedRenewalIsAPassInUse() {
        long now = Micros.of(clock);
        AdmissionRequest renew = AdmissionRequest.of(Intent.RENEW, "s", Claim.NONE);
        Snapshot room = new Snapshot(now, 7, 0, 1);
        knowledge.note(
                ROOM,
                renew,
                new AdmissionDecision(Kind.ADMITTED, 0, 0, 0, 0, now + 10 * SECOND, now + 600 * SECOND, false, room),
                now);
        assertThat(passes.find(ROOM, "s", now)).isNotNull();
    }
}
