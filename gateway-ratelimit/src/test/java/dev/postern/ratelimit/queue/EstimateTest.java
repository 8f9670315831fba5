package dev.postern.ratelimit.queue;

import static dev.postern.ratelimit.queue.AdmissionRequests.SECOND;
import static dev.postern.ratelimit.queue.AdmissionRequests.enter;
import static dev.postern.ratelimit.queue.AdmissionRequests.fetch;
import static dev.postern.ratelimit.queue.AdmissionRequests.poll;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.postern.core.rate.Gcra;
import org.junit.jupiter.api.Test;

/** Tests estimated waiting times and poll intervals. Three may use the site at once, for 10 s of silence and 60 s in all. */
class EstimateTest {

    private static final long START = 1_000 * SECOND;
    private static final long STEP = 20_000;

    private long now = START;
    private final Room room = new Room(AdmissionRequests.rules(), START);

    private void fill() {
        for (String session : new String[] {"base", "a", "b", "c"}) {
            room.decide(enter(session), now);
        }
    }

    @Test
    void assumesTwoSilencesBeforeTheFirstPassEnds() {
        fill();

        assertThat(room.decide(enter("w1"), now).estimate()).isEqualTo(20 * SECOND / 3);
        assertThat(room.decide(enter("w2"), now).estimate()).isEqualTo(2 * (20 * SECOND / 3));
        RoomRules brief = new RoomRules(
                1,
                15 * SECOND,
                10 * SECOND,
                SECOND,
                10,
                AdmissionRequests.rules().base());
        assertThat(brief.firstHold()).as("but not for longer than a pass").isEqualTo(15 * SECOND);
    }

    @Test
    void usesTheMeanDurationOfEndedPasses() {
        fill();
        now += 10 * SECOND; // all three end after 10 s, which were estimated with 20
        room.decide(fetch("x"), now);
        long mean = 20 * SECOND;
        for (int i = 0; i < 3; i++) {
            mean += (10 * SECOND - mean) / 8;
        }
        for (String session : new String[] {"a", "b", "c"}) {
            room.decide(enter(session), now);
        }

        assertThat(room.decide(enter("w1"), now).estimate()).isEqualTo(mean / 3);
    }

    @Test
    void estimatesAreAtMostADay() {
        RoomRules slow = new RoomRules(
                1,
                86_400 * SECOND,
                86_400 * SECOND,
                SECOND,
                10,
                AdmissionRequests.rules().base());

        assertThat(slow.estimate(1, 80_000 * SECOND)).isEqualTo(80_000 * SECOND);
        assertThat(slow.estimate(2, 80_000 * SECOND)).isEqualTo(RoomRules.LONGEST_ESTIMATE);
    }

    @Test
    void distantTicketsPollLessOften() {
        fill();

        assertThat(room.decide(enter("w1"), now).retry()).isEqualTo(SECOND + STEP);
        assertThat(room.decide(enter("w2"), now).retry()).isEqualTo(SECOND + 2 * STEP);
        assertThat(AdmissionRequests.rules().poll(1_000))
                .as("half of the absence at most")
                .isEqualTo(5 * SECOND / 2);
        assertThat(new RoomRules(1, 1, 1, 1, 0, AdmissionRequests.rules().base()).poll(1))
                .isEqualTo(1);
    }

    @Test
    void aRefusedClientMayRetryWhenTheRatePermits() {
        room.decide(enter("base"), now);
        assertThat(room.decide(fetch("stranger"), now).retry()).isEqualTo(SECOND);
        fill();
        room.decide(enter("w"), now);
        assertThat(room.decide(fetch("stranger"), now + SECOND).retry())
                .as("near the front of the queue")
                .isEqualTo(SECOND);
    }

    @Test
    void aRefusedClientRetriesNoSoonerThanAPollWhileSessionsWait() {
        Gcra fast = new Gcra(SECOND / 4, 0);
        Room quick = new Room(new RoomRules(1, 60 * SECOND, 10 * SECOND, 5 * SECOND, 10, fast), START);
        quick.decide(enter("base"), now);
        assertThat(quick.decide(fetch("stranger"), now).retry()).isEqualTo(SECOND / 4);
        quick.decide(enter("a"), now);
        quick.decide(enter("w"), now);
        assertThat(quick.decide(fetch("stranger"), now).retry()).isEqualTo(SECOND);
    }

    @Test
    void refusesInvalidRules() {
        Gcra base = new Gcra(SECOND, 0);
        assertThat(new RoomRules(1, 1, 1, 1, 0, base).active()).isOne();
        assertThatIllegalArgumentException().isThrownBy(() -> new RoomRules(0, 1, 1, 1, 0, base));
        assertThatIllegalArgumentException().isThrownBy(() -> new RoomRules(1, 0, 1, 1, 0, base));
        assertThatIllegalArgumentException().isThrownBy(() -> new RoomRules(1, 1, 0, 1, 0, base));
        assertThatIllegalArgumentException().isThrownBy(() -> new RoomRules(1, 1, 1, 0, 0, base));
        assertThatIllegalArgumentException().isThrownBy(() -> new RoomRules(1, 1, 1, 1, -1, base));
    }

    @Test
    void derivesRulesForOtherLimitsAndOpenings() {
        RoomRules later =
                new RoomRules(3, 9, 8, 7, 10, 6, AdmissionRequests.rules().base(), 5);

        assertThat(later.sessions(4))
                .isEqualTo(new RoomRules(
                        4, 9, 8, 7, 10, 6, AdmissionRequests.rules().base(), 5));
        assertThat(later.opened())
                .isEqualTo(new RoomRules(
                        3, 9, 8, 7, 10, 6, AdmissionRequests.rules().base(), 0));
        assertThat(later.pollBefore(4)).as("half of the absence").isEqualTo(3);
        assertThat(new RoomRules(
                                1,
                                1,
                                1,
                                100 * SECOND,
                                100 * SECOND,
                                0,
                                AdmissionRequests.rules().base(),
                                30 * SECOND)
                        .pollBefore(SECOND))
                .isEqualTo(29 * SECOND);
        assertThat(room.decide(poll("absent"), now).room().epoch()).isEqualTo(START);
    }
}
