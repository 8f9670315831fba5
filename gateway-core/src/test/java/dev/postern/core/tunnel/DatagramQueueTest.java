package dev.postern.core.tunnel;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.core.testing.LeakExtension;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(LeakExtension.class)
class DatagramQueueTest {

    private static final int MAX = 4_096;

    private int dropped;
    private final DatagramQueue queue = new DatagramQueue(MAX, number -> dropped += number);

    private static ByteBuf datagram(int number, int size) {
        return PooledByteBufAllocator.DEFAULT.buffer().writeInt(number).writeZero(Math.max(0, size - Integer.BYTES));
    }

    private @Nullable Integer poll(long now) {
        ByteBuf next = queue.poll(now);
        if (next == null) {
            return null;
        }
        int number = next.readInt();
        next.release();
        return number;
    }

    @Test
    void returnsDatagramsInOrder() {
        for (int i = 0; i < 10; i++) {
            queue.add(datagram(i, 100), 0);
        }
        for (int i = 0; i < 10; i++) {
            assertThat(poll(0)).isEqualTo(i);
        }
        assertThat(poll(0)).isNull();
        assertThat(dropped).isZero();
    }

    @Test
    void dropsTheOldestBeyondItsBytes() {
        for (int i = 0; i < 5; i++) {
            queue.add(datagram(i, MAX / 4), 0);
        }
        assertThat(dropped).isEqualTo(1);
        assertThat(poll(0)).isEqualTo(1);
        queue.clear();
    }

    @Test
    void takesOneDatagramOfAnySize() {
        queue.add(datagram(1, 100), 0);
        queue.add(datagram(2, MAX * 4), 0);
        assertThat(dropped).isEqualTo(1);
        assertThat(poll(0)).isEqualTo(2);
    }

    @Test
    void dropsDatagramsThatAreTooOld() {
        queue.add(datagram(1, 100), 0);
        queue.add(datagram(2, 100), 1);
        assertThat(poll(DatagramQueue.MAX_AGE + 1)).isEqualTo(2);
        assertThat(dropped).isEqualTo(1);
    }

    @Test
    void countsTinyDatagramsByTheirMinimum() {
        for (int i = 0; i < 1_000; i++) {
            queue.add(datagram(i, 4), 0);
        }
        assertThat(dropped).isEqualTo(1_000 - MAX / DatagramQueue.MIN_SIZE);
        queue.clear();
        assertThat(dropped).isEqualTo(1_000);
        assertThat(queue.isEmpty()).isTrue();
    }

    /** Compares random calls with a model that is a plain list. */
    @Test
    void behavesLikeItsModel() {
        SplittableRandom random = new SplittableRandom(8289);
        Deque<int[]> model = new ArrayDeque<>();
        int modelDropped = 0;
        long now = 0;
        for (int i = 0; i < 200_000; i++) {
            now += random.nextInt(10_000) * 1_000L;
            while (!model.isEmpty() && now - model.peek()[2] * 1_000L > DatagramQueue.MAX_AGE) {
                model.remove();
                modelDropped++;
            }
            if (random.nextInt(5) < 3) {
                int size = random.nextInt(4, 1_500);
                int counted = Math.max(DatagramQueue.MIN_SIZE, size);
                while (!model.isEmpty() && model.stream().mapToInt(e -> e[1]).sum() + counted > MAX) {
                    model.remove();
                    modelDropped++;
                }
                model.add(new int[] {i, counted, (int) (now / 1_000)});
                queue.add(datagram(i, size), now);
            } else {
                int[] expected = model.poll();
                assertThat(poll(now)).isEqualTo(expected == null ? null : expected[0]);
            }
            assertThat(dropped).isEqualTo(modelDropped);
        }
        queue.clear();
    }
}
