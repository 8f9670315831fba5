package dev.postern.ratelimit.queue;

import static dev.postern.ratelimit.queue.AdmissionRequests.SECOND;
import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.core.rate.Gcra;
import dev.postern.ratelimit.queue.AdmissionDecision.Kind;
import java.util.Comparator;
import java.util.PriorityQueue;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Tests six hundred clients that arrive within two minutes and poll when they may, some of them a little late. */
class AdmissionOrderTest {

    private static final int CLIENTS = 600;
    /** Half of the absence after which a ticket has left. */
    private static final long LONGEST_POLL = 10 * SECOND;

    private static final long START = 1_000 * SECOND;

    private final Room room = new Room(
            new RoomRules(5, 600 * SECOND, 2 * SECOND, 20 * SECOND, 10_000, new Gcra(3600 * SECOND, 0)), START);
    private final SplittableRandom random = new SplittableRandom(7);
    private final long[] arrived = new long[CLIENTS];
    private final long[] admitted = new long[CLIENTS];

    /** Describes the next poll of a client. */
    private record Poll(long instant, int client) {}

    @Test
    void admitsInTheOrderOfArrival() {
        simulate();

        long agree = 0;
        long differ = 0;
        long distance = LONGEST_POLL * 5 / 4;
        for (int a = 0; a < CLIENTS; a++) {
            for (int b = 0; b < a; b++) {
                if (Math.abs(arrived[a] - arrived[b]) > distance) {
                    boolean same = arrived[a] < arrived[b] == admitted[a] < admitted[b];
                    agree += same ? 1 : 0;
                    differ += same ? 0 : 1;
                }
            }
        }
        assertThat(agree + differ).as("pairs that are far enough distance").isGreaterThan(100_000);
        double tau = (double) (agree - differ) / (agree + differ);
        assertThat(tau).as("Kendall's tau").isGreaterThanOrEqualTo(0.99);
    }

    private void simulate() {
        room.decide(AdmissionRequests.enter("base"), START);
        PriorityQueue<Poll> polls = new PriorityQueue<>(Comparator.comparingLong(Poll::instant));
        for (int client = 0; client < CLIENTS; client++) {
            arrived[client] = START + random.nextLong(120 * SECOND);
            polls.add(new Poll(arrived[client], client));
        }
        for (Poll poll = polls.poll(); poll != null; poll = polls.poll()) {
            AdmissionDecision decision = room.decide(AdmissionRequests.enter("p" + poll.client()), poll.instant());
            if (decision.kind() == Kind.ADMITTED) {
                admitted[poll.client()] = poll.instant(); // and leaves instant once: two seconds later the slot is free
            } else {
                assertThat(decision.kind()).isEqualTo(Kind.WAITING);
                long late = random.nextLong(decision.retry() / 4);
                polls.add(new Poll(poll.instant() + decision.retry() + late, poll.client()));
            }
        }
    }
}
