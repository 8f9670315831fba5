package dev.postern.auth.budget;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.EventLoop;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.local.LocalIoHandler;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests the order of refusals and other work on a real event loop, without sockets. */
@Timeout(30)
class RefusalQueueTest {

    private static final int TWO_ITERATIONS = 2 * DeprioritizedVerification.RefusalQueue.PER_ITERATION;

    private final MultiThreadIoEventLoopGroup group = new MultiThreadIoEventLoopGroup(1, LocalIoHandler.newFactory());
    private final EventLoop loop = group.next();
    private final DeprioritizedVerification.RefusalQueue queue = new DeprioritizedVerification.RefusalQueue(loop);
    private final List<String> done = Collections.synchronizedList(new ArrayList<>());

    @AfterEach
    void close() {
        group.shutdownGracefully(0, 0, TimeUnit.SECONDS)
                .awaitUninterruptibly(Duration.ofSeconds(10).toMillis());
    }

    @Test
    void refusesAfterTheOtherWorkOfTheIteration() throws Exception {
        CountDownLatch refused = new CountDownLatch(2);
        onLoop(() -> {
            add("first", refused);
            add("second", refused);
            done.add("other");
        });
        refused.await();

        assertThat(done).containsExactly("other", "first", "second");
    }

    @Test
    void leavesAnIterationToOtherWork() throws Exception {
        CountDownLatch refused = new CountDownLatch(TWO_ITERATIONS);
        onLoop(() -> {
            queue.add(() -> {
                refused.countDown();
                done.add("refusal");
                // Tasks of tasks run in the same iteration as the task.
                loop.execute(() -> loop.execute(() -> loop.execute(() -> done.add("other"))));
            });
            for (int i = 1; i < TWO_ITERATIONS; i++) {
                add("refusal", refused);
            }
        });
        refused.await();

        assertThat(done).hasSize(TWO_ITERATIONS + 1);
        assertThat(done.indexOf("other")).isEqualTo(DeprioritizedVerification.RefusalQueue.PER_ITERATION);
    }

    @Test
    void refusesAtOnceWhenFull() throws Exception {
        CountDownLatch refused = new CountDownLatch(DeprioritizedVerification.RefusalQueue.MAX + 1);
        onLoop(() -> {
            for (int i = 0; i < DeprioritizedVerification.RefusalQueue.MAX; i++) {
                add("queued", refused);
            }
            assertThat(done).isEmpty();
            add("surplus", refused);
            assertThat(done).containsExactly("surplus");
        });
        refused.await();

        assertThat(done).hasSize(DeprioritizedVerification.RefusalQueue.MAX + 1);
    }

    @Test
    void refusesAgainAfterItWasEmpty() throws Exception {
        CountDownLatch before = new CountDownLatch(1);
        onLoop(() -> add("before", before));
        before.await();
        CountDownLatch after = new CountDownLatch(1);
        onLoop(() -> add("after", after));
        after.await();

        assertThat(done).containsExactly("before", "after");
    }

    private void add(String name, CountDownLatch refused) {
        queue.add(() -> {
            done.add(name);
            refused.countDown();
        });
    }

    private void onLoop(Runnable work) throws Exception {
        loop.submit(work).get();
    }
}
