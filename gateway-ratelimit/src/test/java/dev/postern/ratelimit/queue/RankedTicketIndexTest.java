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
            RankedTicketIndex line = new RankedTicketIndex();
            List<Long> model = new ArrayList<>();
            long next = 1_000_000;
            for (int step = 0; step < 6_000; step++) {
                if (model.isEmpty() || random.nextInt(5) < 3) {
                    long ticket = random.nextInt(4) > 0 ? ++next : random.nextInt(1_000_000);
                    int offset = Collections.binarySearch(model, ticket);
                    if (offset < 0) {
                        model.add(-offset - 1, ticket);
                        line.add(ticket);
                    }
                } else {
                    int offset = random.nextInt(3) > 0 ? 0 : random.nextInt(model.size());
                    line.remove(model.remove(offset));
                }
                assertThat(line.size()).isEqualTo(model.size());
                if (!model.isEmpty()) {
                    int probe = random.nextInt(model.size());
                    assertThat(line.rank(model.get(probe))).isEqualTo(probe);
                }
            }
        }
    }

    @Test
    void emptiesAndFillsAgain() {
        RankedTicketIndex line = new RankedTicketIndex();
        for (int round = 0; round < 3; round++) {
            for (long ticket = 1; ticket <= 2_000; ticket++) {
                line.add(ticket);
            }
            assertThat(line.rank(2_000)).isEqualTo(1_999);
            for (long ticket = 1; ticket <= 2_000; ticket++) {
                assertThat(line.rank(ticket)).isZero();
                line.remove(ticket);
            }
            assertThat(line.size()).isZero();
        }
    }
}
