package dev.postern.auth.budget;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.util.concurrent.MockTicker;
import io.netty.util.concurrent.Ticker;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests the queue with simulated clocks; the event loop only stores scheduled tasks. */
class IdleTaskQueueTest {

    private static final long COST = 20_000;

    private final MockTicker ticker = Ticker.newMockTicker();
    private final EmbeddedChannel channel =
            EmbeddedChannel.builder().ticker(ticker).build();
    private final List<String> done = new ArrayList<>();
    private long cpu;
    private final IdleTaskQueue queue =
            new IdleTaskQueue(channel.eventLoop(), channel.eventLoop().ticker(), () -> cpu);

    @AfterEach
    void close() {
        channel.finishAndReleaseAll();
    }

    @Test
    void runsInOrderWhenTheLoopWasIdle() {
        offer(3);
        pass(IdleTaskQueue.CHECK_EVERY_NANOS, 0);

        queue.check();

        assertThat(done).containsExactly("run 0", "run 1", "run 2");
    }

    @Test
    void runsNothingWhenTheLoopWasBusy() {
        offer(3);
        pass(IdleTaskQueue.CHECK_EVERY_NANOS, IdleTaskQueue.CHECK_EVERY_NANOS * 3 / 4 + 1);

        queue.check();

        assertThat(done).isEmpty();
        assertThat(queue.size()).isEqualTo(3);
    }

    @Test
    void stopsAtTheEndOfItsTimeSlice() {
        offer(100);
        pass(IdleTaskQueue.CHECK_EVERY_NANOS, 0);

        queue.check();

        assertThat(done).hasSize((int) (IdleTaskQueue.LoopUtilization.LONGEST_SLICE / COST) + 1);
    }

    @Test
    void usesAtMostHalfOfTheIdleTime() {
        offer(100);
        pass(200_000, 100_000);

        queue.check();

        assertThat(done).hasSize((int) (50_000 / COST) + 1);
    }

    @Test
    void eitherRunsOrExpiresEachTask() {
        offer(2);
        pass(1_000_000, 1_000_000);
        offer(1);
        pass(IdleTaskQueue.LONGEST_WAIT_NANOS - 1_000_000, IdleTaskQueue.LONGEST_WAIT_NANOS);

        queue.check();

        assertThat(done).containsExactly("late 0", "late 1");
        assertThat(queue.size()).isEqualTo(1);
    }

    @Test
    void expiresManyTasksInSeveralSteps() {
        offer(IdleTaskQueue.LATE_A_LOOK + 3);
        pass(IdleTaskQueue.LONGEST_WAIT_NANOS, IdleTaskQueue.LONGEST_WAIT_NANOS);

        queue.check();
        assertThat(done).hasSize(IdleTaskQueue.LATE_A_LOOK);
        pass(IdleTaskQueue.CHECK_EVERY_NANOS, IdleTaskQueue.CHECK_EVERY_NANOS);
        queue.check();

        assertThat(done).hasSize(IdleTaskQueue.LATE_A_LOOK + 3).allMatch(subject -> subject.startsWith("late"));
    }

    @Test
    void limitsItsLength() {
        offer(IdleTaskQueue.MAX);

        assertThat(queue.offer(work("one more"))).isFalse();
        assertThat(queue.size()).isEqualTo(IdleTaskQueue.MAX);
        assertThat(done).isEmpty();
    }

    @Test
    void reschedulesItselfUntilItIsEmpty() {
        queue.offer(work("only"));
        pass(IdleTaskQueue.CHECK_EVERY_NANOS, IdleTaskQueue.CHECK_EVERY_NANOS); // busy
        channel.runScheduledPendingTasks();
        assertThat(done).isEmpty();
        pass(IdleTaskQueue.CHECK_EVERY_NANOS, 0);
        channel.runScheduledPendingTasks();

        assertThat(done).containsExactly("run only");
        assertThat(channel.runScheduledPendingTasks())
                .as("nothing more is scheduled")
                .isEqualTo(-1);
    }

    private void offer(int count) {
        for (int i = 0; i < count; i++) {
            assertThat(queue.offer(work(Integer.toString(i)))).isTrue();
        }
    }

    private IdleTaskQueue.Work work(String name) {
        return new IdleTaskQueue.Work() {
            @Override
            public void run() {
                done.add("run " + name);
                pass(COST, COST);
            }

            @Override
            public void late() {
                done.add("late " + name);
            }
        };
    }

    private void pass(long wallNanos, long cpuNanos) {
        ticker.advance(wallNanos, TimeUnit.NANOSECONDS);
        cpu += cpuNanos;
    }
}
