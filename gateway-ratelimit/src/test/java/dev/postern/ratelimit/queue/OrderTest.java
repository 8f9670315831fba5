package dev.postern.ratelimit.queue;

import static dev.postern.ratelimit.queue.Visits.SECOND;
import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.core.rate.Gcra;
import dev.postern.ratelimit.queue.AdmissionDecision.Kind;
import java.util.Comparator;
import java.util.PriorityQueue;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Six hundred people come within two minutes and ask again when they are told to, some of them a little late. */
class OrderTest {

    private static final int PEOPLE = 600;
    /** Half of the absence after which one has left. */
    private static final long LONGEST_POLL = 10 * SECOND;

    private static final long START = 1_000 * SECOND;

    private final Room room = new Room(
            new RoomRules(5, 600 * SECOND, 2 * SECOND, 20 * SECOND, 10_000, new Gcra(3600 * SECOND, 0)), START);
    private final SplittableRandom random = new SplittableRandom(7);
    private final long[] came = new long[PEOPLE];
    private final long[] admitted = new long[PEOPLE];

    /** Somebody's next question. */
    private record Turn(long at, int person) {}

    @Test
    void theOrderOfAdmissionIsThatOfComing() {
        play();

        long agree = 0;
        long differ = 0;
        long apart = LONGEST_POLL * 5 / 4;
        for (int a = 0; a < PEOPLE; a++) {
            for (int b = 0; b < a; b++) {
                if (Math.abs(came[a] - came[b]) > apart) {
                    boolean same = came[a] < came[b] == admitted[a] < admitted[b];
                    agree += same ? 1 : 0;
                    differ += same ? 0 : 1;
                }
            }
        }
        assertThat(agree + differ).as("pairs that are far enough apart").isGreaterThan(100_000);
        double tau = (double) (agree - differ) / (agree + differ);
        assertThat(tau).as("Kendall's tau").isGreaterThanOrEqualTo(0.99);
    }

    private void play() {
        room.decide(Visits.enter("base"), START);
        PriorityQueue<Turn> agenda = new PriorityQueue<>(Comparator.comparingLong(Turn::at));
        for (int person = 0; person < PEOPLE; person++) {
            came[person] = START + random.nextLong(120 * SECOND);
            agenda.add(new Turn(came[person], person));
        }
        for (Turn turn = agenda.poll(); turn != null; turn = agenda.poll()) {
            AdmissionDecision decision = room.decide(Visits.enter("p" + turn.person()), turn.at());
            if (decision.kind() == Kind.ADMITTED) {
                admitted[turn.person()] = turn.at(); // and leaves at once: two seconds later the slot is free
            } else {
                assertThat(decision.kind()).isEqualTo(Kind.WAITING);
                long late = random.nextLong(decision.retry() / 4);
                agenda.add(new Turn(turn.at() + decision.retry() + late, turn.person()));
            }
        }
    }
}
