package dev.postern.ratelimit.redis;

import static dev.postern.ratelimit.queue.AdmissionRequests.SECOND;
import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.core.rate.Gcra;
import dev.postern.core.testing.RedisExtension;
import dev.postern.ratelimit.queue.AdmissionDecision;
import dev.postern.ratelimit.queue.AdmissionDecision.Kind;
import dev.postern.ratelimit.queue.AdmissionDecision.Snapshot;
import dev.postern.ratelimit.queue.AdmissionRequest;
import dev.postern.ratelimit.queue.AdmissionRequest.Claim;
import dev.postern.ratelimit.queue.AdmissionRequest.Intent;
import dev.postern.ratelimit.queue.RoomOverrides;
import dev.postern.ratelimit.queue.RoomReport;
import dev.postern.ratelimit.queue.RoomRules;
import dev.postern.ratelimit.queue.TenantShare;
import io.lettuce.core.ScriptOutputType;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Verifies cases of the script that random histories rarely reach, each with the planted fault that it finds. */
class RoomScriptCaseIT {

    private static final int QUEUE = 400;
    private static final int FLOOD = 300;
    private static final long LIFE = 60_000;
    private static final long ABSENCE = 5 * SECOND;

    @RegisterExtension
    static final RedisExtension REDIS = new RedisExtension();

    @Test
    void aClaimDoesNotReviveTheRevokedPassOfAWaitingSession() {
        assertThat(claimAfterRevocation(ClockedScript.ROOM).kind()).isEqualTo(Kind.WAITING);
    }

    @Test
    void aMissingLookAtTheRevokedPassIsFound() {
        Script wrong = ClockedScript.with("cEnd > now and not holds(session) then", "cEnd > now then");
        assertThat(claimAfterRevocation(wrong).kind()).isEqualTo(Kind.ADMITTED);
    }

    @Test
    void aWaitingSessionWithoutItsRevokedPassIsFound() {
        Script wrong = ClockedScript.with("if ends[session] == nil then", "if false then");
        assertThat(claimAfterRevocation(wrong).kind()).isEqualTo(Kind.ADMITTED);
    }

    @Test
    void anAdmissionAfterARevocationTakesNoSecondSlot() {
        assertThat(passesAfterRevocation(ClockedScript.ROOM)).isEqualTo(2);
        assertThat(passesAfterRevocation(ClockedScript.with("if ends[session] == nil then", "if false then")))
                .isEqualTo(3);
    }

    @Test
    void anOldMarkAdmitsNoSession() {
        AdmissionDecision decision = pollBehindNewTickets(ClockedScript.ROOM);
        assertThat(decision.kind()).isEqualTo(Kind.WAITING);
        assertThat(decision.position()).isEqualTo(256 + 99 + 1 + 1); // the first place that is not counted
    }

    @Test
    void anOldMarkThatAdmitsASessionIsFound() {
        Script wrong = ClockedScript.with("return max(counted, ", "return max(0, ");
        assertThat(pollBehindNewTickets(wrong).kind()).isEqualTo(Kind.ADMITTED);
    }

    @Test
    void aQueueOutlivesCallsInWhichOtherSessionsRenew() {
        assertThat(livesAfterRenewals(ClockedScript.ROOM)).allMatch(left -> left > LIFE);
    }

    @Test
    void aQueueThatOnlyItsOwnRequestsRenewIsFound() {
        Script wrong = ClockedScript.with("if due.places then\n", "if due.places and next(heard) then\n");
        assertThat(livesAfterRenewals(wrong)).anyMatch(left -> left <= LIFE);
    }

    @Test
    void noPositionIsBehindTheLastPlace() {
        assertThat(positionInAShorterQueue(ClockedScript.ROOM)).isEqualTo(QUEUE - 100);
    }

    @Test
    void aPositionBehindTheLastPlaceIsFound() {
        Script wrong = ClockedScript.with("floor(min(rank, waiting - 1))", "floor(rank)");
        assertThat(positionInAShorterQueue(wrong)).isGreaterThan(QUEUE - 100);
    }

    /** Returns the position of the last session but one, just after 100 of 400 sessions left, with marks from before. */
    private static long positionInAShorterQueue(Script script) {
        Room room = new Room(script, 1);
        room.visit(visit(Intent.ENTER, "rate", TenantShare.NONE));
        room.visit(visit(Intent.ENTER, "admitted", TenantShare.NONE));
        room.fill(TenantShare.NONE);
        room.visit(visit(Intent.POLL, "399", TenantShare.NONE));
        room.call(IntStream.range(0, 100)
                .mapToObj(i -> RoomCommand.order(null, "REVOKE", "" + i, decision -> {})
                        .arguments())
                .toList());
        return room.visit(visit(Intent.POLL, "398", TenantShare.NONE)).position();
    }

    @Test
    void aFloodOfPollsIsLoggedASixteenthOfTheAbsenceApart() {
        assertThat(entriesAfterAFlood(ClockedScript.ROOM)).isLessThanOrEqualTo(3);
    }

    @Test
    void aLogOfEachPollOfAFloodIsFound() {
        Script wrong = ClockedScript.with("if heardAt[session] ~= recorded then", "if true then");
        assertThat(entriesAfterAFlood(wrong)).isGreaterThan(FLOOD);
    }

    @Test
    void anEmptyQueueHasNoLog() {
        assertThat(logAfterTheLastPlace(ClockedScript.ROOM)).isZero();
        assertThat(logAfterTheLastPlace(ClockedScript.with("elseif waited and waiting == 0 then", "elseif false then")))
                .isOne();
    }

    /** Returns the number of logs after the only waiting session left. */
    private static long logAfterTheLastPlace(Script script) {
        Room room = new Room(script, 1);
        for (String session : List.of("rate", "admitted", "waiting")) {
            room.visit(visit(Intent.ENTER, session, TenantShare.NONE));
        }
        room.call(List.of(
                RoomCommand.order(null, "REVOKE", "waiting", decision -> {}).arguments()));
        return REDIS.connection().sync().keys("*:r").size();
    }

    @Test
    void aPlaceThatIsReportedInTheCallOfItsEndKeepsItsRow() {
        assertThat(placesAfterAReport(ClockedScript.ROOM)).isEqualTo(1);
        Script wrong = ClockedScript.with(
                "due.places, left[session] = ticket, absent + 1, true, nil", "due.places = ticket, absent + 1, true");
        assertThat(placesAfterAReport(wrong)).isZero();
    }

    /** Returns the number of rows after a call in which a session loses its place and its node reports an earlier request of it. */
    private static long placesAfterAReport(Script script) {
        Room room = new Room(script, 1);
        for (String session : List.of("rate", "admitted", "waiting")) {
            room.visit(visit(Intent.ENTER, session, TenantShare.NONE));
        }
        Claim heard = new Claim(1, room.now, room.now - ABSENCE, 0, 0);
        room.call(List.of(
                RoomCommand.order(null, "REVOKE", "waiting", decision -> {}).arguments(),
                RoomCommand.arguments(new AdmissionRequest(Intent.KEEP, "waiting", "", heard, "", TenantShare.NONE))));
        return REDIS.connection()
                .sync()
                .hlen(REDIS.connection().sync().keys("*:m").get(0).replaceAll("m$", "s"));
    }

    /** Returns the number of entries in the log of requests after polls of one session, 1 ms apart. */
    private static long entriesAfterAFlood(Script script) {
        Room room = new Room(script, 1);
        for (String session : List.of("rate", "admitted", "waiting")) {
            room.visit(visit(Intent.ENTER, session, TenantShare.NONE));
        }
        for (int i = 0; i < FLOOD; i++) {
            room.visit(visit(Intent.POLL, "waiting", TenantShare.NONE));
        }
        return REDIS.connection()
                .sync()
                .llen(REDIS.connection().sync().keys("*:r").get(0));
    }

    /** Returns the remaining life of the keys of the queue, after the poll of a waiting session just after the call of another session. */
    private static List<Long> livesAfterRenewals(Script script) {
        Room room = new Room(script, 1);
        for (String session : List.of("rate", "admitted", "waiting")) {
            room.visit(visit(Intent.ENTER, session, TenantShare.NONE));
        }
        List<String> queue = REDIS.connection().sync().keys("*:[mwsr]");
        assertThat(queue).hasSize(4);
        queue.forEach(key -> REDIS.connection().sync().pexpire(key, LIFE));
        room.now += SECOND;
        room.visit(visit(Intent.ENTER, "admitted", TenantShare.NONE));
        room.visit(visit(Intent.POLL, "waiting", TenantShare.NONE));
        return queue.stream().map(REDIS.connection().sync()::pttl).toList();
    }

    /** Returns the decision on the poll of a session whose pass was revoked, with a claim from before a loss of memory and a free slot. */
    private static AdmissionDecision claimAfterRevocation(Script script) {
        Room room = revoked(script);
        room.overrides = RoomOverrides.NONE.active(3).at(1);
        Claim claim = new Claim(1, 0, 0, room.now + 5 * SECOND, room.now + 20 * SECOND);
        return room.visit(new AdmissionRequest(Intent.POLL, "a", "all", claim, "", TenantShare.NONE));
    }

    /** Returns the number of passes after the session got another one. */
    private static long passesAfterRevocation(Script script) {
        Room room = revoked(script);
        room.overrides = RoomOverrides.NONE.active(4).at(1);
        room.visit(visit(Intent.POLL, "a", TenantShare.NONE));
        return room.snapshot.active();
    }

    /** Returns a room with two slots, which have the sessions a and b; c waits, and behind it a, whose pass was revoked. */
    private static Room revoked(Script script) {
        Room room = new Room(script, 2);
        for (String session : List.of("rate", "a", "b", "c")) {
            room.visit(visit(Intent.ENTER, session, TenantShare.NONE));
        }
        room.call(List.of(RoomCommand.order(null, "REVOKE", "a", decision -> {}).arguments()));
        assertThat(room.visit(visit(Intent.ENTER, "a", TenantShare.NONE)).position())
                .isEqualTo(2);
        return room;
    }

    /**
     * Returns the decision on a poll of the eleventh session of a tenant. After its tenant's queue got marks, as many sessions of a tenant
     * with more weight came before it, and 99 slots became free.
     */
    private static AdmissionDecision pollBehindNewTickets(Script script) {
        TenantShare light = new TenantShare("light", 1);
        Room room = new Room(script, 1);
        room.visit(visit(Intent.ENTER, "rate", light));
        room.visit(visit(Intent.ENTER, "admitted", light));
        room.fill(light);
        room.visit(visit(Intent.POLL, "light399", light));
        room.fill(new TenantShare("heavy", 100));
        room.overrides = RoomOverrides.NONE.active(100).at(1);
        return room.visit(visit(Intent.POLL, "light10", light));
    }

    private static AdmissionRequest visit(Intent intent, String session, TenantShare share) {
        return new AdmissionRequest(intent, session, "all", Claim.NONE, "", share);
    }

    /** Empty room in Redis, in which the first request takes the base rate for an hour. The clock advances by 1 ms with each call. */
    private static final class Room {

        private final String sha;
        private final RoomRules rules;
        private long now = 1_700_000_000L * SECOND;
        private RoomOverrides overrides = RoomOverrides.NONE;
        private Snapshot snapshot = Snapshot.NONE;

        Room(Script script, int active) {
            REDIS.connection().sync().flushall();
            this.sha = REDIS.connection().sync().scriptLoad(script.text());
            this.rules = new RoomRules(active, 60 * SECOND, 10 * SECOND, ABSENCE, 1_000, new Gcra(3_600 * SECOND, 0))
                    .keeping(2 * ABSENCE);
        }

        RoomReply call(List<List<String>> requests) {
            now += 1_000;
            RoomReport report = new RoomReport("n0", snapshot.epoch(), now, 1, 0);
            List<String> arguments = new ArrayList<>();
            Keys.head(rules, overrides, new Keys.Terms(0, now, report), arguments);
            requests.forEach(arguments::addAll);
            arguments.add(Long.toString(now));
            RoomReply reply = new RoomReply(
                    REDIS.connection()
                            .sync()
                            .evalsha(
                                    sha,
                                    ScriptOutputType.MULTI,
                                    new Keys("case").room("r"),
                                    arguments.toArray(String[]::new)),
                    rules);
            snapshot = reply.room();
            return reply;
        }

        AdmissionDecision visit(AdmissionRequest request) {
            return call(List.of(RoomCommand.arguments(request))).decision(Snapshot.NONE);
        }

        void fill(TenantShare share) {
            List<List<String>> requests = new ArrayList<>();
            for (int i = 0; i < QUEUE; i++) {
                requests.add(RoomCommand.arguments(RoomScriptCaseIT.visit(Intent.ENTER, share.tenant() + i, share)));
            }
            call(requests);
        }
    }
}
