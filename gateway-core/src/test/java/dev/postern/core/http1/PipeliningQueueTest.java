package dev.postern.core.http1;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class PipeliningQueueTest {

    private final PipeliningQueue queue = new PipeliningQueue();
    private final List<String> gone = new ArrayList<>();

    private PipeliningQueue.QueuedExchange ready(String name, boolean safe) {
        PipeliningQueue.QueuedExchange queued = queue.arrive(safe);
        queued.whenReached(() -> gone.add(name));
        return queued;
    }

    @Test
    void startsSafeRequestsConcurrently() {
        ready("a", true);
        ready("b", true);
        assertThat(gone).containsExactly("a", "b");
    }

    @Test
    void keepsTheOrderOfArrival() {
        PipeliningQueue.QueuedExchange first = queue.arrive(true);
        ready("b", true);
        assertThat(gone).isEmpty();
        first.whenReached(() -> gone.add("a"));
        assertThat(gone).containsExactly("a", "b");
    }

    @Test
    void anUnsafeRequestWaitsForAllEarlierResponses() {
        ready("a", true);
        ready("b", true);
        ready("post", false);
        queue.responded();
        assertThat(gone).containsExactly("a", "b");
        queue.responded();
        assertThat(gone).containsExactly("a", "b", "post");
    }

    @Test
    void anUnsafeRequestRunsAlone() {
        ready("post", false);
        ready("b", true);
        assertThat(gone).containsExactly("post");
        queue.responded();
        assertThat(gone).containsExactly("post", "b");
    }

    @Test
    void aLocalResponseDelaysNoExchange() {
        PipeliningQueue.QueuedExchange refused = queue.arrive(true);
        ready("b", true);
        queue.skip(refused);
        assertThat(gone).containsExactly("b");
    }

    @Test
    void aRefusedUnsafeRequestBlocksUntilItsResponseIsSent() {
        PipeliningQueue.QueuedExchange refused = queue.arrive(false);
        ready("b", true);
        queue.skip(refused);
        assertThat(gone).isEmpty();
        queue.responded();
        assertThat(gone).containsExactly("b");
    }
}
