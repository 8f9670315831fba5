package dev.postern.core.tunnel;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class WaitingDatagramsTest {

    private static final int MAX = 4_096;

    private final WaitingDatagrams waiting = new WaitingDatagrams(MAX);

    private List<String> taken() {
        List<String> all = new ArrayList<>();
        waiting.take((index, length) -> all.add(index + "+" + length));
        return all;
    }

    @Test
    void keepsTheOrder() {
        for (int i = 0; i < 40; i++) {
            waiting.add(i * 10, i);
        }
        assertThat(taken()).hasSize(40).startsWith("0+0", "10+1", "20+2").endsWith("390+39");
        assertThat(waiting.isEmpty()).isTrue();
        assertThat(taken()).isEmpty();
    }

    @Test
    void dropsTheOldestBeyondItsBytes() {
        for (int i = 0; i < 5; i++) {
            waiting.add(i, MAX / 4);
        }
        assertThat(waiting.dropped()).isEqualTo(1);
        assertThat(waiting.dropped()).isZero();
        assertThat(taken()).containsExactly("1+1024", "2+1024", "3+1024", "4+1024");
    }

    @Test
    void takesOneDatagramOfAnySize() {
        waiting.add(1, 100);
        waiting.add(2, MAX * 4);
        assertThat(waiting.dropped()).isEqualTo(1);
        assertThat(taken()).containsExactly("2+16384");
    }

    /** The queue gets the same datagrams as if each had been added to it. */
    @Test
    void keepsThoseThatTheQueueWouldKeep() {
        SplittableRandom random = new SplittableRandom(9298);
        for (int read = 0; read < 500; read++) {
            Deque<int[]> model = new ArrayDeque<>();
            int sum = 0;
            int dropped = 0;
            int most = random.nextBoolean() ? 4 : 1_500;
            for (int i = 0; i < 200; i++) {
                int length = random.nextInt(most);
                int cost = DatagramQueue.cost(length);
                for (; !model.isEmpty() && sum + cost > MAX; dropped++) {
                    sum -= DatagramQueue.cost(model.remove()[1]);
                }
                model.add(new int[] {i, length});
                sum += cost;
                waiting.add(i, length);
            }
            assertThat(waiting.dropped()).isEqualTo(dropped);
            assertThat(taken())
                    .isEqualTo(model.stream().map(d -> d[0] + "+" + d[1]).toList());
        }
    }
}
