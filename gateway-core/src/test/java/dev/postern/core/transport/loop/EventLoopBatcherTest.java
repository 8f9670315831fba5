package dev.postern.core.transport.loop;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.embedded.EmbeddedChannel;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests what an iteration of an event loop sends at once. */
class EventLoopBatcherTest {

    private final EmbeddedChannel loop = new EmbeddedChannel();
    private final List<List<Integer>> sent = new ArrayList<>();
    private final EventLoopBatcher<Integer> batcher = new EventLoopBatcher<>(loop.eventLoop(), 3, sent::add);

    private void add(int... items) {
        for (int item : items) {
            batcher.add(item);
        }
    }

    @Test
    void sendsTheItemsOfOneIteration() {
        add(1, 2);
        assertThat(sent).isEmpty();
        loop.runPendingTasks();
        assertThat(sent).containsExactly(List.of(1, 2));
        add(3);
        loop.runPendingTasks();
        assertThat(sent).containsExactly(List.of(1, 2), List.of(3));
    }

    @Test
    void sendsAFullBatchAtOnce() {
        add(1, 2, 3);
        assertThat(sent).containsExactly(List.of(1, 2, 3));
        add(4);
        loop.runPendingTasks();
        assertThat(sent).containsExactly(List.of(1, 2, 3), List.of(4));
    }

    @Test
    void sendsNoEmptyBatch() {
        add(1, 2, 3);
        loop.runPendingTasks();
        assertThat(sent).hasSize(1);
    }
}
