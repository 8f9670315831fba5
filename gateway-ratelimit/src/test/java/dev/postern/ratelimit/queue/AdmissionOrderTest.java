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

    /** Each third client falls silent now and then, for longer than the absence and shorter than its place is kept. */
    private static final int SILENT = 3;

    private final Room room = new Room(
            new RoomRules(5, 600 * SECOND, 2 * SECOND, 20 * SECOND, 10_000, new Gcra(3600 * SECOND, 0))
                    .keeping(300 * SECOND),
            START);
    private final SplittableRandom random = new SplittableRandom(7);
    private final long[] arrived = new long[CLIENTS];
    private final long[] admitted = new long[CLIENTS];
    private final long[] tickets = new long[CLIENTS];

    /** Describes the next poll of a client. */
    private record Poll(long instant, int client) {}

    @Test
    void admitsInTheOrderOfArrival() {
        simulate(false);
        assertThat(tau(1)).as("Kendall's tau").isGreaterThanOrEqualTo(0.99);
    }

    @Test
    void keepsTheOrderOfThoseThatPollWhileOthersFallSilentAndReturn() {
        simulate(true);
        assertThat(tau(SILENT)).as("Kendall's tau").isGreaterThanOrEqualTo(0.99);
    }

    /** @param without omits clients whose number is divisible by it, unless it is 1 */
    private double tau(int without) {
        long agree = 0;
        long differ = 0;
        long distance = LONGEST_POLL * 5 / 4;
        for (int a = 0; a < CLIENTS; a++) {
            for (int b = 0; b < a; b++) {
                boolean omitted = without > 1 && (a % without == 0 || b % without == 0);
                if (!omitted && Math.abs(arrived[a] - arrived[b]) > distance) {
                    boolean same = arrived[a] < arrived[b] == admitted[a] < admitted[b];
                    agree += same ? 1 : 0;
                    differ += same ? 0 : 1;
                }
            }
        }
        assertThat(agree + differ).as("pairs that are far enough distance").isGreaterThan(50_000);
        return (double) (agree - differ) / (agree + differ);
    }

    private void simulate(boolean silence) {
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
                if (tickets[poll.client()] != 0) {
                    assertThat(decision.ticket()).isEqualTo(tickets[poll.client()]);
                }
                tickets[poll.client()] = decision.ticket();
                long late = random.nextLong(decision.retry() / 4);
                if (silence && poll.client() % SILENT == 0 && random.nextInt(8) == 0) {
                    late = 25 * SECOND + random.nextLong(200 * SECOND);
                }
                polls.add(new Poll(poll.instant() + decision.retry() + late, poll.client()));
            }
        }
    }
}
