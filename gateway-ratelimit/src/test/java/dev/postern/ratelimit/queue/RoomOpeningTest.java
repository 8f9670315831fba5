package dev.postern.ratelimit.queue;

import static dev.postern.ratelimit.queue.AdmissionRequests.SECOND;
import static dev.postern.ratelimit.queue.AdmissionRequests.enter;
import static dev.postern.ratelimit.queue.AdmissionRequests.fetch;
import static dev.postern.ratelimit.queue.AdmissionRequests.poll;
import static dev.postern.ratelimit.queue.AdmissionRequests.visit;
import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.core.rate.Gcra;
import dev.postern.ratelimit.queue.AdmissionDecision.Kind;
import dev.postern.ratelimit.queue.AdmissionRequest.Intent;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests a room that opens at an instant: early clients get positions by lot, later ones queue behind them. */
class RoomOpeningTest {

    private static final long OPENS = 10_000 * SECOND;
    private static final int EARLY = 40;

    private long now = OPENS - 60 * SECOND;
    private final Room room = new Room(rules(OPENS), now);

    private static RoomRules rules(long opens) {
        return new RoomRules(3, 60 * SECOND, 10 * SECOND, 300 * SECOND, 300 * SECOND, 1000, new Gcra(SECOND, 0), opens);
    }

    @Test
    void beforeTheOpeningNoClientPassesAndNoPositionIsShown() {
        AdmissionDecision early = room.decide(enter("early"), now);

        assertThat(early.kind()).isEqualTo(Kind.WAITING);
        assertThat(early.position()).isZero();
        assertThat(early.estimate()).isEqualTo(60 * SECOND);
        assertThat(early.retry()).isEqualTo(60 * SECOND);
        assertThat(room.decide(fetch("stranger"), now).kind()).isEqualTo(Kind.LIMITED);
        assertThat(room.decide(poll("early"), OPENS - 1).kind()).isEqualTo(Kind.WAITING);
        assertThat(room.decide(poll("early"), OPENS).kind()).isEqualTo(Kind.ADMITTED);
    }

    @Test
    void earlyClientsAreOrderedByLot() {
        for (int i = 0; i < EARLY; i++) {
            room.decide(enter("early" + i), now + i);
        }
        now = OPENS;
        List<Long> positions = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            room.decide(enter("late" + i), now); // the early clients have not asked yet: their slots are kept
        }
        for (int i = 0; i < EARLY; i++) {
            positions.add(room.decide(visit(Intent.ENTER, "early" + i), now).position());
        }

        List<Long> inOrder = new ArrayList<>(positions);
        Collections.sort(inOrder);
        assertThat(positions).isNotEqualTo(inOrder);
        assertThat(positions.stream().filter(p -> p == 0).count())
                .as("admitted")
                .isLessThanOrEqualTo(3);
        assertThat(room.decide(enter("late0"), now).position()).isGreaterThan(EARLY - 3);
    }

    @Test
    void eachOpeningHasItsOwnLot() {
        assertThat(order(OPENS)).isNotEqualTo(order(OPENS + SECOND)).hasSize(EARLY);
        assertThat(order(OPENS)).isEqualTo(order(OPENS));
    }

    private List<Integer> order(long opens) {
        Room other = new Room(rules(opens), now);
        other.control(RoomOverrides.NONE.in(RoomMode.PAUSED).at(1));
        for (int i = 0; i < EARLY; i++) {
            other.decide(enter("p" + i), now);
        }
        List<Integer> order = new ArrayList<>();
        for (int i = 0; i < EARLY; i++) {
            order.add((int) other.decide(poll("p" + i), opens).position());
        }
        return order;
    }

    @Test
    void clientsAfterAnAdvancedOpeningQueueBehind() {
        room.decide(enter("early"), now);
        room.control(RoomOverrides.NONE.in(RoomMode.PAUSED).opens(now + SECOND).at(1));
        now += 2 * SECOND;

        assertThat(room.decide(enter("late"), now).position()).isEqualTo(2);
        assertThat(room.decide(poll("early"), now).position()).isEqualTo(1);
    }

    @Test
    void operatorsOpenAtOnceOrLater() {
        room.control(RoomOverrides.NONE.opens(now).at(1));
        assertThat(room.decide(enter("a"), now).kind()).isEqualTo(Kind.BASE);

        room.control(RoomOverrides.NONE.opens(now + 5 * SECOND).at(2));
        assertThat(room.decide(enter("b"), now + SECOND).kind()).isEqualTo(Kind.WAITING);
        assertThat(room.decide(poll("b"), now + 5 * SECOND).kind()).isEqualTo(Kind.ADMITTED);
    }

    @Test
    void theOpeningIsAnInstantOfTheWallClock() {
        Gcra base = new Gcra(SECOND, 0);
        Room counting = new Room(
                new RoomRules(1, 60 * SECOND, 10 * SECOND, 300 * SECOND, 300 * SECOND, 1000, base, OPENS).perNetwork(1),
                now);
        counting.wallAhead(55 * SECOND);
        AdmissionDecision early = counting.decide(enter("early").countedFor("net"), now);
        AdmissionDecision second = counting.decide(enter("second").countedFor("net"), now);

        assertThat(early.kind()).isEqualTo(Kind.WAITING);
        assertThat(early.estimate()).isEqualTo(5 * SECOND);
        assertThat(early.retry()).isEqualTo(5 * SECOND);
        assertThat(counting.decide(poll("early"), now + 5 * SECOND).kind()).isEqualTo(Kind.ADMITTED);
        assertThat(second.kind()).isEqualTo(Kind.DEFERRED);
        assertThat(second.estimate()).isEqualTo(5 * SECOND);
        assertThat(second.retry()).isEqualTo(5 * SECOND);
    }

    @Test
    void aRoomWhoseOpeningHasComeStaysOpenWithoutOne() {
        room.decide(enter("first"), OPENS);
        room.rules(rules(0));
        assertThat(room.decide(enter("second"), OPENS + 1).kind()).isEqualTo(Kind.ADMITTED);
    }
}
