package dev.postern.ratelimit.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.ratelimit.queue.Decision;
import dev.postern.ratelimit.queue.Decision.Kind;
import dev.postern.ratelimit.queue.Decision.Snapshot;
import dev.postern.ratelimit.queue.Share;
import dev.postern.ratelimit.queue.Visit;
import dev.postern.ratelimit.queue.Visit.Claim;
import dev.postern.ratelimit.queue.Visit.Intent;
import java.util.List;
import org.junit.jupiter.api.Test;

class RoomTicketsTest {

    private static final long NEVER = Long.MAX_VALUE;
    private static final Claim WRITTEN = new Claim(7, 42, 1, 0, 0);

    private final RoomTickets tickets = new RoomTickets();

    private static Decision waiting(long ticket) {
        return new Decision(Kind.WAITING, 1, 0, 0, ticket, 0, 0, false, new Snapshot(1_000, 7, 1, 1));
    }

    private static Visit poll(String session, Claim claim) {
        return Visit.of(Intent.POLL, session, claim);
    }

    private List<Visit> untold() {
        return tickets.untold(instant -> instant + 1_000);
    }

    @Test
    void whatTheRoomSaidNeedNotBeTold() {
        tickets.note(poll("s", Claim.NONE), waiting(42), 10);
        assertThat(tickets.earliestUntold(0, NEVER)).isEqualTo(NEVER);
        assertThat(untold()).isEmpty();
        assertThat(tickets.all(instant -> instant + 1_000))
                .containsExactly(new Visit(Intent.KEEP, "s", "", new Claim(7, 42, 1_010, 0, 0), "", Share.NONE));
    }

    @Test
    void aSignOfLifeThatIsNotAnsweredIsToldLater() {
        Share share = new Share("t", 3);
        tickets.note(new Visit(Intent.ENTER, "s", "k", Claim.NONE, "cafe", share), waiting(42), 10);
        tickets.note(poll("s", WRITTEN), Decision.unknown(1), 20);
        tickets.note(poll("s", WRITTEN), Decision.unknown(1), 30);
        tickets.note(poll("other", WRITTEN), Decision.unknown(1), 35);
        assertThat(tickets.earliestUntold(0, NEVER)).as("the first").isEqualTo(20);
        assertThat(untold().get(0))
                .as("the last")
                .isEqualTo(new Visit(Intent.KEEP, "s", "", new Claim(7, 42, 1_030, 0, 0), "cafe", share));

        untold().forEach(visit -> tickets.note(visit, waiting(42), 40));
        assertThat(tickets.earliestUntold(30, NEVER)).isEqualTo(NEVER);
        assertThat(tickets.all(instant -> instant))
                .as("to tell it is no sign of life")
                .extracting(Visit::session)
                .containsExactly("other");
    }

    @Test
    void whoHasNoTicketHasNothingToKeep() {
        tickets.note(Visit.of(Intent.ENTER, "s", Claim.NONE), Decision.unknown(1), 10);
        assertThat(untold()).isEmpty();
    }

    @Test
    void whoWasAdmittedOrHasLeftIsForgotten() {
        tickets.note(poll("s", WRITTEN), Decision.unknown(1), 10);
        tickets.note(poll("s", WRITTEN), new Decision(Kind.LIMITED, 0, 0, 0, 0, 0, 0, false, Snapshot.NONE), 20);
        tickets.note(poll("t", WRITTEN), Decision.unknown(1), 10);
        tickets.earliestUntold(10, NEVER);
        assertThat(tickets.all(instant -> instant)).isEmpty();
    }

    @Test
    void anAnswerDoesNotHideALaterSignOfLife() {
        tickets.note(poll("s", WRITTEN), Decision.unknown(1), 10);
        tickets.note(poll("s", WRITTEN), Decision.unknown(1), 30);
        tickets.note(poll("s", WRITTEN), waiting(42), 20);
        assertThat(tickets.earliestUntold(25, NEVER)).isEqualTo(10);
    }
}
