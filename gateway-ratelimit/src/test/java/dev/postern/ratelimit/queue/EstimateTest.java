package dev.postern.ratelimit.queue;

import static dev.postern.ratelimit.queue.Visits.SECOND;
import static dev.postern.ratelimit.queue.Visits.enter;
import static dev.postern.ratelimit.queue.Visits.fetch;
import static dev.postern.ratelimit.queue.Visits.poll;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.postern.core.rate.Gcra;
import org.junit.jupiter.api.Test;

/** How long people are told to wait, and when to ask again. Three may use the site at once, for 10 s of silence and 60 s in all. */
class EstimateTest {

    private static final long START = 1_000 * SECOND;
    private static final long STEP = 20_000;

    private long now = START;
    private final Room room = new Room(Visits.rules(), START);

    private void fill() {
        for (String session : new String[] {"base", "a", "b", "c"}) {
            room.decide(enter(session), now);
        }
    }

    @Test
    void beforeAnybodyHasLeftASlotIsHeldForTwoSilences() {
        fill();

        assertThat(room.decide(enter("w1"), now).estimate()).isEqualTo(20 * SECOND / 3);
        assertThat(room.decide(enter("w2"), now).estimate()).isEqualTo(2 * (20 * SECOND / 3));
        RoomRules brief = new RoomRules(
                1, 15 * SECOND, 10 * SECOND, SECOND, 10, Visits.rules().base());
        assertThat(brief.firstHold()).as("but not for longer than a pass").isEqualTo(15 * SECOND);
    }

    @Test
    void afterwardsForAsLongAsTheyWereHeldInTheMean() {
        fill();
        now += 10 * SECOND; // all three end after 10 s, which were reckoned with 20
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
    void nobodyPlansFurtherThanADay() {
        RoomRules slow = new RoomRules(
                1, 86_400 * SECOND, 86_400 * SECOND, SECOND, 10, Visits.rules().base());

        assertThat(slow.estimate(1, 80_000 * SECOND)).isEqualTo(80_000 * SECOND);
        assertThat(slow.estimate(2, 80_000 * SECOND)).isEqualTo(RoomRules.LONGEST_ESTIMATE);
    }

    @Test
    void whoIsFurtherBackAsksLessOften() {
        fill();

        assertThat(room.decide(enter("w1"), now).retry()).isEqualTo(SECOND + STEP);
        assertThat(room.decide(enter("w2"), now).retry()).isEqualTo(SECOND + 2 * STEP);
        assertThat(Visits.rules().poll(1_000)).as("half of the absence at most").isEqualTo(5 * SECOND / 2);
        assertThat(new RoomRules(1, 1, 1, 1, 0, Visits.rules().base()).poll(1)).isEqualTo(1);
    }

    @Test
    void whoMayNotWaitIsToldWhenTheRateHasRoom() {
        room.decide(enter("base"), now);
        assertThat(room.decide(fetch("stranger"), now).retry()).isEqualTo(SECOND);
        fill();
        room.decide(enter("w"), now);
        assertThat(room.decide(fetch("stranger"), now + SECOND).retry())
                .as("soon at the front")
                .isEqualTo(SECOND);
    }

    @Test
    void rulesThatCannotBeAreRefused() {
        Gcra base = Visits.rules().base();
        assertThat(new RoomRules(1, 1, 1, 1, 0, base).active()).isOne();
        assertThatIllegalArgumentException().isThrownBy(() -> new RoomRules(0, 1, 1, 1, 0, base));
        assertThatIllegalArgumentException().isThrownBy(() -> new RoomRules(1, 0, 1, 1, 0, base));
        assertThatIllegalArgumentException().isThrownBy(() -> new RoomRules(1, 1, 0, 1, 0, base));
        assertThatIllegalArgumentException().isThrownBy(() -> new RoomRules(1, 1, 1, 0, 0, base));
        assertThatIllegalArgumentException().isThrownBy(() -> new RoomRules(1, 1, 1, 1, -1, base));
    }

    @Test
    void theSameRulesForOtherBoundsAndForAnOpenDoor() {
        RoomRules later = new RoomRules(3, 9, 8, 7, 6, Visits.rules().base(), 5);

        assertThat(later.sessions(4))
                .isEqualTo(new RoomRules(4, 9, 8, 7, 6, Visits.rules().base(), 5));
        assertThat(later.opened())
                .isEqualTo(new RoomRules(3, 9, 8, 7, 6, Visits.rules().base()));
        assertThat(later.pollBefore(4)).as("half of the absence").isEqualTo(3);
        assertThat(new RoomRules(1, 1, 1, 100 * SECOND, 0, Visits.rules().base(), 30 * SECOND).pollBefore(SECOND))
                .isEqualTo(29 * SECOND);
        assertThat(room.decide(poll("nobody"), now).room().epoch()).isEqualTo(START);
    }
}
