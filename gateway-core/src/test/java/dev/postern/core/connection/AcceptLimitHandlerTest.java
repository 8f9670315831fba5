package dev.postern.core.connection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postern.core.config.Rate;
import dev.postern.core.connection.CloseReasonMetrics.Why;
import dev.postern.core.exchange.ListenerInfo;
import dev.postern.core.net.CidrSet;
import dev.postern.core.testing.TestLimits;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.util.concurrent.Ticker;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Tests a listening channel whose accept call fails. */
class AcceptLimitHandlerTest {

    private final ConnectionLimiter limiter = new ConnectionLimiter(TestLimits.CLIENT, () -> {});
    private final CloseReasonMetrics metrics =
            new CloseReasonMetrics(new SimpleMeterRegistry(), Ticker.newMockTicker());
    private final ListenerInfo listener =
            new ListenerInfo("web", ListenerInfo.Mode.REVERSE, "", "", CidrSet.NONE, false);
    private final EmbeddedChannel listening = new EmbeddedChannel(new AcceptLimitHandler(
            limiter,
            new HandshakeLimiter(Rate.of("0"), Ticker.newMockTicker()),
            metrics,
            () -> new ListenerAdmission(listener, false, false),
            () -> false));

    private void fireDescriptorExhaustion() {
        listening.pipeline().fireExceptionCaught(new IOException("accept(..) failed: Too many open files"));
    }

    @Test
    void pausesWithoutADescriptorAndTriesAgain() {
        fireDescriptorExhaustion();

        assertThat(listening.config().isAutoRead()).isFalse();
        listening.advanceTimeBy(100, TimeUnit.MILLISECONDS);
        listening.runScheduledPendingTasks();
        assertThat(listening.config().isAutoRead()).isTrue();
        assertThat(metrics.closed(Why.DESCRIPTORS)).isEqualTo(1);
        listening.checkException();
    }

    @Test
    void doesNotAcceptPastTheLimitAfterAPause() {
        limiter.limits(TestLimits.CLIENT.with(1));
        limiter.enter();
        fireDescriptorExhaustion();

        listening.advanceTimeBy(100, TimeUnit.MILLISECONDS);
        listening.runScheduledPendingTasks();

        assertThat(listening.config().isAutoRead()).isFalse();
    }

    @Test
    void forwardsOtherFailures() {
        listening.pipeline().fireExceptionCaught(new IOException("accept(..) failed: Invalid argument"));

        assertThat(listening.config().isAutoRead()).isTrue();
        assertThatThrownBy(listening::checkException).isInstanceOf(IOException.class);
    }
}
