package dev.postern.ratelimit.waiting;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.ratelimit.queue.AdmissionDecision;
import dev.postern.ratelimit.queue.AdmissionDecision.Kind;
import dev.postern.ratelimit.queue.AdmissionDecision.Snapshot;
import dev.postern.ratelimit.queue.AdmissionRequest.Claim;
import org.junit.jupiter.api.Test;

class TicketTest {

    private static final Ticket WAITING = new Ticket("AAAAAAAAAAAA", new Claim(7, 42, 100, 0, 0), 3, 77);

    private static AdmissionDecision waiting(long ticket, long position) {
        return new AdmissionDecision(
                Kind.WAITING, position, 0, 0, ticket, 0, 0, false, new Snapshot(200, 7, position, 1));
    }

    @Test
    void theShownPositionDoesNotRiseWhenOthersReturn() {
        assertThat(WAITING.after(waiting(42, 9)).position()).isEqualTo(3);
        assertThat(WAITING.after(waiting(42, 9)).after(waiting(42, 2)).position())
                .isEqualTo(2);
    }

    @Test
    void anotherPlaceHasAPositionOfItsOwn() {
        assertThat(WAITING.after(waiting(43, 9)).position()).isEqualTo(9);
    }

    @Test
    void aPlaceThatWasNotKeptIsNoClaim() {
        assertThat(WAITING.heardSince(99)).isEqualTo(WAITING);
        Ticket ended = WAITING.heardSince(100);
        assertThat(ended).isEqualTo(new Ticket("AAAAAAAAAAAA", new Claim(7, 0, 100, 0, 0), 0, 77));
        assertThat(ended.heardSince(5_000)).as("has no place").isSameAs(ended);
    }
}
