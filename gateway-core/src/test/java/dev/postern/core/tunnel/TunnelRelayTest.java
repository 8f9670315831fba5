package dev.postern.core.tunnel;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.core.transport.TunnelPeer;
import io.netty.buffer.ByteBuf;
import io.netty.channel.EventLoop;
import io.netty.channel.embedded.EmbeddedChannel;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class TunnelRelayTest {

    private final EmbeddedChannel loop = new EmbeddedChannel();

    @Test
    void cancelsItsTimers() {
        End client = new End();
        End destination = new End();
        TunnelRelay.join(client, destination, Duration.ofMinutes(5), Duration.ofHours(1));
        assertThat(loop.runScheduledPendingTasks()).isPositive();
        client.gone();
        assertThat(loop.runScheduledPendingTasks()).as("none").isEqualTo(-1);
        assertThat(destination.closed).isTrue();
    }

    @Test
    void idleTunnelsEndSoonWhenTheGatewayStops() {
        End client = new End();
        End destination = new End();
        TunnelRelay.join(client, destination, Duration.ofMinutes(5), Duration.ZERO);
        assertThat(loop.runScheduledPendingTasks()).isGreaterThan(TunnelTimers.DRAIN_IDLE);
        client.draining();
        assertThat(loop.runScheduledPendingTasks()).isBetween(1L, TunnelTimers.DRAIN_IDLE);
        assertThat(destination.closed).isFalse();
    }

    @Test
    void aShorterIdleTimeStaysWhenTheGatewayStops() {
        End client = new End();
        End destination = new End();
        TunnelRelay.join(client, destination, Duration.ofMillis(20), Duration.ZERO);
        client.draining();
        long next = loop.runScheduledPendingTasks();
        while (next >= 0 && next < TunnelTimers.DRAIN_IDLE / 2) {
            LockSupport.parkNanos(next);
            next = loop.runScheduledPendingTasks();
        }
        assertThat(destination.closed)
                .as("closed before the idle time of a drain; next timer in %s ns", next)
                .isTrue();
    }

    /** Peer that neither sends nor reads. */
    private final class End implements TunnelPeer {

        private @Nullable Taker taker;
        private boolean closed;

        void draining() {
            Taker receiver = taker;
            if (receiver != null) {
                receiver.draining();
            }
        }

        void gone() {
            Taker receiver = taker;
            if (receiver != null) {
                receiver.gone();
            }
        }

        @Override
        public void begin(Taker receiver) {
            taker = receiver;
        }

        @Override
        public void write(ByteBuf data) {
            data.release();
        }

        @Override
        public void flush() {}

        @Override
        public boolean writable() {
            return true;
        }

        @Override
        public void pause() {}

        @Override
        public void resume() {}

        @Override
        public void finish() {}

        @Override
        public void close() {
            closed = true;
        }

        @Override
        public EventLoop loop() {
            return loop.eventLoop();
        }
    }
}
