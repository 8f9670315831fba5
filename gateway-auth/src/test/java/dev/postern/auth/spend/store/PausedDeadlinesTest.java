package dev.postern.auth.spend.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.util.concurrent.MockTicker;
import io.netty.util.concurrent.Ticker;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests a spend of 50 ms on an event loop and a clock that the test advances. */
class PausedDeadlinesTest {

    private static final long DEADLINE = TimeUnit.MILLISECONDS.toNanos(50);

    private final MockTicker ticker = Ticker.newMockTicker();
    private final EmbeddedChannel channel =
            EmbeddedChannel.builder().ticker(ticker).build();
    private final EventLoopDeadlines deadlines = new EventLoopDeadlines(channel.eventLoop());
    private final List<Runnable> pendingReads = new ArrayList<>();
    private final TestTask task = new TestTask();

    @BeforeEach
    void begin() {
        deadlines.await(task);
    }

    @AfterEach
    void close() {
        channel.finishAndReleaseAll();
    }

    @Test
    void expiresAtTheDeadlineWithoutAResponse() {
        pass(49);
        assertThat(pendingReads).isEmpty();
        pass(1);
        assertThat(task.expired).as("received bytes are read first").isZero();

        pendingReads.get(0).run();

        assertThat(task.expired).isEqualTo(1);
        pass(1_000);
        assertThat(task.expired).as("once").isEqualTo(1);
    }

    @Test
    void aResponseThatArrivedDuringAPauseCounts() {
        ticker.advance(4, TimeUnit.SECONDS);
        channel.runScheduledPendingTasks();

        task.responded = true;
        pendingReads.get(0).run();
        pass(1_000);

        assertThat(pendingReads).hasSize(1);
        assertThat(task.expiredWithoutResponse).isZero();
    }

    @Test
    void aRequestThatWasSentLateGetsItsFullTime() {
        task.sent = TimeUnit.MILLISECONDS.toNanos(40);
        pass(50);
        pendingReads.get(0).run();

        pass(39);
        assertThat(task.expired).isZero();
        pass(1);
        assertThat(task.expired).isEqualTo(1);
    }

    @Test
    void aRequestThatWasSentLateDoesNotExpireAfterItsResponse() {
        task.sent = TimeUnit.MILLISECONDS.toNanos(40);
        pass(50);
        pendingReads.get(0).run();

        task.responded = true;
        pass(1_000);

        assertThat(task.expiredWithoutResponse).isZero();
    }

    @Test
    void aPauseExtendsTheDeadlineOnlyToALimit() {
        pass(50);
        pass(249);
        assertThat(task.expired).isZero();
        pass(1);
        assertThat(task.expired).as("the read was not completed").isEqualTo(1);
        pendingReads.get(0).run();
        assertThat(task.expired).isEqualTo(1);
    }

    @Test
    void aRequestThatWasSentLateHasTheSameLimit() {
        task.sent = TimeUnit.SECONDS.toNanos(9);
        pass(50);
        pendingReads.get(0).run();
        pass(249);
        assertThat(task.expired).isZero();
        pass(1);
        assertThat(task.expired).isEqualTo(1);
    }

    @Test
    void aRequestThatWasSentLateExpiresAtTheLimitAsSoonAsRepliesAreRead() {
        task.sent = TimeUnit.SECONDS.toNanos(9);
        pass(50);
        ticker.advance(250, TimeUnit.MILLISECONDS);

        pendingReads.get(0).run();

        assertThat(task.expired).as("before the timer of the limit runs").isEqualTo(1);
    }

    private void pass(long millis) {
        ticker.advance(millis, TimeUnit.MILLISECONDS);
        channel.runScheduledPendingTasks();
    }

    private final class TestTask implements DeadlineTask {

        private long sent;
        private boolean responded;
        private int expired;
        private int expiredWithoutResponse;

        @Override
        public boolean responded() {
            return responded;
        }

        @Override
        public long deadlineNanos() {
            return DEADLINE;
        }

        @Override
        public long dueNanos() {
            return sent + DEADLINE;
        }

        @Override
        public void readReplies(Runnable continuation) {
            pendingReads.add(continuation);
        }

        @Override
        public void expire() {
            expired++;
            expiredWithoutResponse += responded ? 0 : 1;
        }

        @Override
        public void run() {}
    }
}
