package dev.postern.ratelimit.queue;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class RankedTicketIndexTest {

    @Test
    void ranksLikeSortedListThroughRandomHistory() {
        for (int seed = 0; seed < 20; seed++) {
            Random random = new Random(seed);
            RankedTicketIndex index = new RankedTicketIndex();
            List<Long> model = new ArrayList<>();
            long next = 1_000_000;
            for (int step = 0; step < 6_000; step++) {
                if (model.isEmpty() || random.nextInt(5) < 3) {
                    long ticket = random.nextInt(4) > 0 ? ++next : random.nextInt(1_000_000);
                    int offset = Collections.binarySearch(model, ticket);
                    if (offset < 0) {
                        model.add(-offset - 1, ticket);
                        index.add(ticket);
                    }
                } else {
                    int offset = random.nextInt(3) > 0 ? 0 : random.nextInt(model.size());
                    index.remove(model.remove(offset));
                }
                assertThat(index.size()).isEqualTo(model.size());
                if (!model.isEmpty()) {
                    int probe = random.nextInt(model.size());
                    assertThat(index.rank(model.get(probe))).isEqualTo(probe);
                }
            }
        }
    }

    @Test
    void emptiesAndFillsAgain() {
        RankedTicketIndex index = new RankedTicketIndex();
        for (int round = 0; round < 3; round++) {
            for (long ticket = 1; ticket <= 2_000; ticket++) {
                index.add(ticket);
            }
            assertThat(index.rank(2_000)).isEqualTo(1_999);
            for (long ticket = 1; ticket <= 2_000; ticket++) {
                assertThat(index.rank(ticket)).isZero();
                index.remove(ticket);
            }
            assertThat(index.size()).isZero();
        }
    }

    @Test
    void ranksTicketsOfManyChunks() {
        RankedTicketIndex index = new RankedTicketIndex();
        int tickets = 5_000;
        for (long ticket = 0; ticket < tickets; ticket++) {
            index.add(ticket);
        }
        for (long ticket = 0; ticket < tickets; ticket++) {
            assertThat(index.rank(ticket)).isEqualTo((int) ticket);
        }
        int apart = 100;
        for (long ticket = 0; ticket < tickets; ticket += apart) {
            index.remove(ticket);
        }
        for (long ticket = 1; ticket < tickets; ticket += apart) {
            assertThat(index.rank(ticket)).isEqualTo((int) (ticket - 1 - ticket / apart));
        }
    }

    /** Before an opening, a ticket may be up to 2^32 microseconds before the opening, so also before 0. */
    @Test
    void ranksTicketsFromBeforeTheStartOfTheClock() {
        RankedTicketIndex index = new RankedTicketIndex();
        int tickets = 2_000;
        for (long ticket = -tickets; ticket < 0; ticket++) {
            index.add(ticket);
        }
        for (long ticket = -tickets; ticket < 0; ticket++) {
            assertThat(index.rank(ticket)).isEqualTo((int) ticket + tickets);
        }
    }
}
