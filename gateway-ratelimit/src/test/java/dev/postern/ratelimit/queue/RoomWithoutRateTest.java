package dev.postern.ratelimit.queue;

import static dev.postern.ratelimit.queue.AdmissionRequests.SECOND;
import static dev.postern.ratelimit.queue.AdmissionRequests.enter;
import static dev.postern.ratelimit.queue.AdmissionRequests.fetch;
import static dev.postern.ratelimit.queue.AdmissionRequests.poll;
import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.core.rate.Gcra;
import dev.postern.ratelimit.queue.AdmissionDecision.Kind;
import org.junit.jupiter.api.Test;

/** Tests a room without a rate: at most three sessions at a time, 10 s of silence. */
class RoomWithoutRateTest {

    private static final long START = 1_000 * SECOND;

    private long now = START;
    private final Room room = new Room(new RoomRules(3, 60 * SECOND, 10 * SECOND, 5 * SECOND, 1_000, null), START);

    private AdmissionDecision decide(AdmissionRequest request) {
        return room.decide(request, now);
    }

    @Test
    void eachClientIsASessionUntilTheBoundIsReached() {
        for (int i = 0; i < 3; i++) {
            assertThat(decide(enter("a" + i)).kind()).isEqualTo(Kind.ADMITTED);
        }
        assertThat(decide(enter("w")).position()).isOne();
        now += 10 * SECOND;
        assertThat(decide(enter("w")).kind()).isEqualTo(Kind.ADMITTED);
    }

    @Test
    void aPageMayFetchItsParts() {
        decide(AdmissionRequests.visit(AdmissionRequest.Intent.PAGE, "a"));
        for (int i = 0; i <= RoomRules.LEASE_REQUESTS; i++) {
            assertThat(decide(fetch("a")).kind()).isEqualTo(Kind.ADMITTED);
        }
    }

    @Test
    void whatBeginsNoSessionIsLimited() {
        AdmissionDecision decision = decide(fetch("stranger"));
        assertThat(decision.kind()).isEqualTo(Kind.LIMITED);
        assertThat(decision.retry()).isZero();
        assertThat(decide(poll("stranger")).kind()).isEqualTo(Kind.LIMITED);
    }

    @Test
    void anOperatorMaySetARate() {
        room.control(RoomOverrides.NONE.base(new Gcra(3_600 * SECOND, 0)));
        assertThat(decide(fetch("stranger")).kind()).isEqualTo(Kind.BASE);
        assertThat(decide(fetch("stranger")).retry()).isEqualTo(3_600 * SECOND);
        room.control(RoomOverrides.NONE.base(null));
        assertThat(decide(fetch("stranger")).retry()).isZero();
        assertThat(decide(enter("a")).kind()).isEqualTo(Kind.ADMITTED);
    }
}
