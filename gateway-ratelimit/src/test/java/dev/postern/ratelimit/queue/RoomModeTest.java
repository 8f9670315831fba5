package dev.postern.ratelimit.queue;

import static dev.postern.ratelimit.queue.AdmissionRequests.SECOND;
import static dev.postern.ratelimit.queue.AdmissionRequests.claiming;
import static dev.postern.ratelimit.queue.AdmissionRequests.enter;
import static dev.postern.ratelimit.queue.AdmissionRequests.fetch;
import static dev.postern.ratelimit.queue.AdmissionRequests.poll;
import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.ratelimit.queue.AdmissionDecision.Kind;
import dev.postern.ratelimit.queue.AdmissionRequest.Claim;
import org.junit.jupiter.api.Test;

/** Tests the modes that an operator sets on a room in use. Three may use the site at once. */
class RoomModeTest {

    private long now = 1_000 * SECOND;
    private final Room room = new Room(AdmissionRequests.rules(), now);

    @Test
    void everyClientQueuesThoughSlotsAreFree() {
        room.control(RoomOverrides.NONE.in(RoomMode.EVERYBODY_QUEUES));

        assertThat(kind(fetch("stranger"))).isEqualTo(Kind.LIMITED);
        assertThat(kind(enter("a"))).isEqualTo(Kind.ADMITTED);
        assertThat(kind(enter("b"))).isEqualTo(Kind.ADMITTED);
        assertThat(kind(enter("c"))).isEqualTo(Kind.ADMITTED);
        assertThat(kind(enter("d"))).isEqualTo(Kind.WAITING);
    }

    @Test
    void aPausedRoomAdmitsNoClientAndKeepsPassesAndTickets() {
        room.control(RoomOverrides.NONE.in(RoomMode.EVERYBODY_QUEUES));
        kind(enter("in"));
        room.control(RoomOverrides.NONE.in(RoomMode.PAUSED));

        assertThat(kind(enter("in"))).isEqualTo(Kind.ADMITTED);
        assertThat(room.decide(enter("w1"), now).position()).isEqualTo(1);
        assertThat(room.decide(enter("w2"), now).position()).isEqualTo(2);
        now += SECOND;
        assertThat(kind(fetch("stranger"))).isEqualTo(Kind.LIMITED);
        assertThat(kind(poll("w1"))).isEqualTo(Kind.WAITING);

        room.control(RoomOverrides.NONE);
        assertThat(kind(poll("w2"))).isEqualTo(Kind.ADMITTED);
        assertThat(kind(poll("w1"))).isEqualTo(Kind.ADMITTED);
    }

    @Test
    void aDrainingRoomTakesNoNewTicketsAndAdmitsWaitingOnes() {
        room.control(RoomOverrides.NONE.in(RoomMode.PAUSED));
        kind(enter("w"));
        room.control(RoomOverrides.NONE.in(RoomMode.DRAINING));

        assertThat(kind(enter("late"))).isEqualTo(Kind.FULL);
        assertThat(kind(poll("w"))).isEqualTo(Kind.ADMITTED);
        assertThat(kind(enter("w"))).isEqualTo(Kind.ADMITTED);
        now += 2 * SECOND;
        assertThat(kind(enter("later"))).as("not on the base rate either").isEqualTo(Kind.FULL);
    }

    @Test
    void aTicketFromBeforeALossOfStateIsKeptWhileDraining() {
        Room young = new Room(AdmissionRequests.rules(), now);
        young.control(RoomOverrides.NONE.in(RoomMode.DRAINING));
        Claim place = new Claim(now - 50 * SECOND, now - 40 * SECOND, now - SECOND, 0, 0);

        assertThat(young.decide(claiming("back", place), now).kind()).isEqualTo(Kind.ADMITTED);
        assertThat(young.decide(enter("new"), now).kind()).isEqualTo(Kind.FULL);
    }

    private Kind kind(AdmissionRequest request) {
        return room.decide(request, now).kind();
    }
}
