package dev.postern.core.transport.loop;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.util.concurrent.MockTicker;
import io.netty.util.concurrent.Ticker;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Tests {@link Deadline} on an event loop whose time a test moves. */
class DeadlineTest {

    private final MockTicker ticker = Ticker.newMockTicker();
    private final EmbeddedChannel channel =
            EmbeddedChannel.builder().ticker(ticker).build();
    private int fired;
    private final Deadline deadline = new Deadline(channel.eventLoop(), () -> fired++);

    private void pass(long millis) {
        ticker.advance(millis, TimeUnit.MILLISECONDS);
        channel.runScheduledPendingTasks();
    }

    private static long millis(long count) {
        return TimeUnit.MILLISECONDS.toNanos(count);
    }

    @Test
    void runsItsActionOnceAtItsTime() {
        deadline.set(millis(10));
        pass(9);
        assertThat(fired).isZero();

        pass(1);
        assertThat(fired).isEqualTo(1);

        pass(1_000);
        assertThat(fired).isEqualTo(1);
    }

    @Test
    void isMovedToALaterTime() {
        deadline.set(millis(10));
        pass(6);
        deadline.set(millis(10));
        pass(9);
        assertThat(fired).isZero();

        pass(1);
        assertThat(fired).isEqualTo(1);
    }

    @Test
    void isMovedToAnEarlierTime() {
        deadline.set(millis(1_000));
        deadline.set(millis(10));
        pass(10);

        assertThat(fired).isEqualTo(1);
    }

    @Test
    void countsFromTheTimeOfTheCaller() {
        long now = deadline.now();
        pass(4);
        deadline.set(now, millis(10));
        pass(6);
        pass(4); // the timer looks again: it was started 4 ms late

        assertThat(fired).isEqualTo(1);
    }

    @Test
    void clearedItRunsNothing() {
        deadline.set(millis(10));
        deadline.clear();
        pass(100);
        assertThat(fired).isZero();

        deadline.set(millis(10));
        pass(10);
        assertThat(fired).as("set again").isEqualTo(1);
    }

    @Test
    void stoppedItHasNoTimer() {
        deadline.set(millis(10));
        deadline.stop();

        assertThat(channel.runScheduledPendingTasks()).as("none").isEqualTo(-1);
    }
}
