package dev.postern.auth.spend.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.auth.spend.PendingSpend;
import dev.postern.auth.spend.SpendResult;
import dev.postern.auth.spend.store.EventLoopDeadlines;
import io.netty.channel.embedded.EmbeddedChannel;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class JournaledSpendTest {

    private final EmbeddedChannel channel = new EmbeddedChannel();
    private final List<PendingSpend> received = new ArrayList<>();
    private final byte[] key = new byte[16];
    private final JournaledSpend spend =
            new JournaledSpend(key, 7, new EventLoopDeadlines(channel.eventLoop()), 99, received::add);

    @Test
    void isFreshOnceItIsWritten() {
        assertThat(spend.responded()).isFalse();
        assertThat(spend.result()).isEqualTo(SpendResult.UNKNOWN);

        spend.written(true);
        assertThat(received).as("not before the event loop runs the task").isEmpty();
        channel.runPendingTasks();

        assertThat(received).containsExactly(spend);
        assertThat(spend.responded()).isTrue();
        assertThat(spend.result()).isEqualTo(SpendResult.FRESH);
        assertThat(spend.busy()).isFalse();
    }

    @Test
    void isUnknownWhenItCouldNotBeWritten() {
        spend.written(false);
        channel.runPendingTasks();

        assertThat(received).containsExactly(spend);
        assertThat(spend.result()).isEqualTo(SpendResult.UNKNOWN);
    }

    @Test
    void staysUnknownAfterItsDeadline() {
        spend.expire();
        assertThat(received).containsExactly(spend);

        spend.written(true);
        channel.runPendingTasks();

        assertThat(received).hasSize(1);
        assertThat(spend.result()).isEqualTo(SpendResult.UNKNOWN);
    }

    @Test
    void getsNoSecondResultAtItsDeadline() {
        spend.written(true);
        channel.runPendingTasks();

        spend.expire();

        assertThat(received).hasSize(1);
        assertThat(spend.result()).isEqualTo(SpendResult.FRESH);
    }

    @Test
    void isRefundedOnce() {
        assertThat(spend.undo()).isTrue();
        assertThat(spend.undo()).isFalse();
    }

    @Test
    void hasKeyAndEnd() {
        assertThat(spend.key()).isSameAs(key);
        assertThat(spend.forgetAt()).isEqualTo(7);
        assertThat(spend.deadlineNanos()).isEqualTo(99);
    }
}
