package dev.postern.ratelimit.rehearsal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postern.core.rate.Gcra;
import dev.postern.ratelimit.queue.RoomRules;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class RehearsalTest {

    private static final long SECOND = 1_000_000;
    private static final long HOUR = 3600 * SECOND;

    /** Ten at once, passes of ten minutes that end after 20 s of silence, no base rate to speak of. */
    private static final RoomRules TEN = rules(10, 1_000);

    private static RoomRules rules(int active, int most) {
        return new RoomRules(active, 600 * SECOND, 20 * SECOND, 20 * SECOND, most, Gcra.of(1, HOUR, 0));
    }

    @Test
    void everybodyGetsInWhenNobodyLeaves() {
        Outcome outcome = play(TEN, new Crowd(500, 10 * SECOND, 30 * SECOND, 0, 1));

        assertThat(outcome.waits()).hasSize(500).isSorted();
        assertThat(outcome.free()).isEqualTo(1);
        assertThat(List.of(outcome.left(), outcome.full(), outcome.waiting())).containsOnly(0);
        // 500 people, 10 at once, each some 30 s and the 20 s of silence after it.
        assertThat(outcome.end()).isBetween(1_500 * SECOND, 3_500 * SECOND);
        assertThat(outcome.percentile(50)).isBetween(outcome.end() / 3, outcome.end() * 2 / 3);
        assertThat(outcome.percentile(100)).isEqualTo(outcome.waits()[499]);
    }

    @Test
    void neverMoreAreInThanTheRoomHolds() {
        Outcome outcome = play(TEN, new Crowd(300, 60 * SECOND, 30 * SECOND, 0.2, 2));

        assertThat(outcome.samples()).hasSizeBetween(20, 48).allMatch(sample -> sample.active() <= 10);
        assertThat(outcome.samples()).anyMatch(sample -> sample.active() == 10 && sample.waiting() > 100);
        assertThat(outcome.samples().get(outcome.samples().size() - 1).waiting())
                .isLessThan(50);
    }

    @Test
    void someCloseThePageAndTheLineIsShorterForIt() {
        Outcome all = play(TEN, new Crowd(1_000, 0, 30 * SECOND, 0, 3));
        Outcome some = play(TEN, new Crowd(1_000, 0, 30 * SECOND, 0.5, 3));

        assertThat(some.left()).isBetween(350, 550);
        assertThat(some.waits().length + some.left()).isEqualTo(1_000);
        assertThat(some.end()).isLessThan(all.end() * 3 / 4);
    }

    @Test
    void aLineIsOnlySoLong() {
        Outcome outcome = play(rules(10, 100), new Crowd(500, 0, 30 * SECOND, 0, 4));

        assertThat(outcome.full()).isEqualTo(500 - 100 - 10 - 1);
    }

    @Test
    void thePlayIsOverWhenItIsTold() {
        List<Long> received = new ArrayList<>();
        Outcome outcome = new Rehearsal(TEN, new Crowd(500, 0, 30 * SECOND, 0, 5)).play(300 * SECOND, received::add);

        assertThat(outcome.waiting()).isBetween(300, 480);
        assertThat(outcome.waits().length + outcome.waiting()).isEqualTo(500);
        assertThat(outcome.end()).isLessThanOrEqualTo(300 * SECOND);
        assertThat(received).isSorted().hasSizeGreaterThan(20);
    }

    @Test
    void theSameSeedPlaysTheSame() {
        Crowd crowd = new Crowd(200, 5 * SECOND, 10 * SECOND, 0.3, 6);

        assertThat(play(TEN, crowd).waits()).isEqualTo(play(TEN, crowd).waits());
        assertThat(play(TEN, new Crowd(200, 5 * SECOND, 10 * SECOND, 0.3, 7)).waits())
                .isNotEqualTo(play(TEN, crowd).waits());
    }

    @Test
    void nobodyIsAnEmptyPlay() {
        Outcome nobody = new Outcome(new long[0], 0, 0, 0, 0, 0, List.of());

        assertThat(nobody.percentile(50)).isZero();
        assertThatThrownBy(() -> new Crowd(0, 0, 1, 0, 0)).hasMessage("people: 0 (expected: 1..4194304)");
        assertThatThrownBy(() -> new Crowd(1, 0, 1, 1.5, 0)).hasMessage("leaving: 1.5 (expected: 0..1)");
        assertThatThrownBy(() -> new Crowd(1, -1, 1, 0, 0)).hasMessageContaining("over, stay: -1, 1 us");
    }

    private static Outcome play(RoomRules rules, Crowd crowd) {
        return new Rehearsal(rules, crowd).play(24 * HOUR, now -> {});
    }
}
