package dev.postern.ratelimit.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.ratelimit.queue.AdmissionDecision;
import dev.postern.ratelimit.queue.AdmissionDecision.Kind;
import dev.postern.ratelimit.queue.AdmissionDecision.Snapshot;
import dev.postern.ratelimit.queue.AdmissionRequest;
import dev.postern.ratelimit.queue.AdmissionRequest.Claim;
import dev.postern.ratelimit.queue.AdmissionRequest.Intent;
import dev.postern.ratelimit.queue.TenantShare;
import java.util.List;
import org.junit.jupiter.api.Test;

class RoomTicketsTest {

    private static final long NEVER = Long.MAX_VALUE;
    private static final int MOST = 10;
    private static final Claim WRITTEN = new Claim(7, 42, 1, 0, 0);

    private final RoomTickets tickets = new RoomTickets();

    private static AdmissionDecision waiting(long ticket) {
        return new AdmissionDecision(Kind.WAITING, 1, 0, 0, ticket, 0, 0, false, new Snapshot(1_000, 7, 1, 1));
    }

    private static AdmissionRequest poll(String session, Claim claim) {
        return AdmissionRequest.of(Intent.POLL, session, claim);
    }

    private List<AdmissionRequest> unreported() {
        return tickets.unreported(instant -> instant + 1_000);
    }

    @Test
    void stateFromTheRoomIsNotReported() {
        tickets.note(poll("s", Claim.NONE), waiting(42), 10);
        assertThat(tickets.earliestUnreported(0, MOST, NEVER)).isEqualTo(NEVER);
        assertThat(unreported()).isEmpty();
        assertThat(tickets.all(instant -> instant + 1_000))
                .containsExactly(new AdmissionRequest(
                        Intent.KEEP, "s", "", new Claim(7, 42, 1_010, 0, 0), "", TenantShare.NONE));
    }

    @Test
    void aPollWithoutAReplyIsReportedLater() {
        TenantShare share = new TenantShare("t", 3);
        tickets.note(new AdmissionRequest(Intent.ENTER, "s", "k", Claim.NONE, "cafe", share), waiting(42), 10);
        tickets.note(poll("s", WRITTEN), AdmissionDecision.unknown(1), 20);
        tickets.note(poll("s", WRITTEN), AdmissionDecision.unknown(1), 30);
        tickets.note(poll("other", WRITTEN), AdmissionDecision.unknown(1), 35);
        assertThat(tickets.earliestUnreported(0, MOST, NEVER)).as("the first").isEqualTo(20);
        assertThat(unreported().get(0))
                .as("the last")
                .isEqualTo(new AdmissionRequest(Intent.KEEP, "s", "", new Claim(7, 42, 1_030, 0, 0), "cafe", share));

        unreported().forEach(request -> tickets.note(request, waiting(42), 40));
        assertThat(tickets.earliestUnreported(30, MOST, NEVER)).isEqualTo(NEVER);
        assertThat(tickets.all(instant -> instant))
                .as("a report does not count as a poll")
                .extracting(AdmissionRequest::session)
                .containsExactly("other");
    }

    @Test
    void keepsNothingForASessionWithoutATicket() {
        tickets.note(AdmissionRequest.of(Intent.ENTER, "s", Claim.NONE), AdmissionDecision.unknown(1), 10);
        assertThat(unreported()).isEmpty();
    }

    @Test
    void removesSessionsThatWereAdmittedOrLeft() {
        tickets.note(poll("s", WRITTEN), AdmissionDecision.unknown(1), 10);
        tickets.note(
                poll("s", WRITTEN), new AdmissionDecision(Kind.LIMITED, 0, 0, 0, 0, 0, 0, false, Snapshot.NONE), 20);
        tickets.note(poll("t", WRITTEN), AdmissionDecision.unknown(1), 10);
        tickets.earliestUnreported(10, MOST, NEVER);
        assertThat(tickets.all(instant -> instant)).isEmpty();
    }

    @Test
    void aReplyDoesNotHideALaterPoll() {
        tickets.note(poll("s", WRITTEN), AdmissionDecision.unknown(1), 10);
        tickets.note(poll("s", WRITTEN), AdmissionDecision.unknown(1), 30);
        tickets.note(poll("s", WRITTEN), waiting(42), 20);
        assertThat(tickets.earliestUnreported(25, MOST, NEVER)).isEqualTo(10);
    }

    @Test
    void beyondTheBoundDropsTheLongestSilent() {
        for (int i = 0; i <= MOST; i++) {
            tickets.note(poll("s" + i, Claim.NONE), waiting(42 + i), 10 + i);
        }
        tickets.note(poll("s0", Claim.NONE), waiting(42), 30);
        tickets.earliestUnreported(0, MOST, NEVER);
        assertThat(tickets.all(instant -> instant))
                .extracting(AdmissionRequest::session)
                .hasSize(MOST)
                .contains("s0", "s2")
                .doesNotContain("s1");
    }
}
