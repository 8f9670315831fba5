package dev.postern.core.tunnel;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.core.testing.FakeTunnelPeer;
import dev.postern.core.testing.LeakExtension;
import dev.postern.core.transport.TunnelPeer;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.util.concurrent.MockTicker;
import io.netty.util.concurrent.Ticker;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Tests the relay of a tunnel between two ends in memory. */
@ExtendWith(LeakExtension.class)
class TunnelRelayTest {

    private static final Duration IDLE = Duration.ofMinutes(5);
    private static final Duration DRAIN_IDLE = Duration.ofNanos(TunnelTimers.DRAIN_IDLE);

    private final MockTicker ticker = Ticker.newMockTicker();
    private final EmbeddedChannel loop =
            EmbeddedChannel.builder().ticker(ticker).build();
    private final FakeTunnelPeer client = new FakeTunnelPeer(loop.eventLoop());
    private final FakeTunnelPeer destination = new FakeTunnelPeer(loop.eventLoop());

    private TunnelTimers join(Duration idle, Duration lifetime) {
        return TunnelRelay.join(client, destination, idle, lifetime);
    }

    private void pass(Duration time) {
        ticker.advance(time.toNanos(), TimeUnit.NANOSECONDS);
        loop.runScheduledPendingTasks();
    }

    private String ends() {
        return client.end() + ", " + destination.end();
    }

    private boolean timerWaits() {
        return loop.runScheduledPendingTasks() >= 0;
    }

    private static void hold(TunnelPeer.Taker taker, String text) {
        taker.data(Unpooled.copiedBuffer(text, StandardCharsets.ISO_8859_1));
    }

    // ---- bytes

    @Test
    void sendsTheBytesOfOneReadAtOnce() {
        join(IDLE, Duration.ZERO);
        client.send("a", "b", "c");
        assertThat(destination.received()).isEqualTo("abc");
        assertThat(destination.writes()).isEqualTo(1);
        destination.send("back");
        assertThat(client.received()).isEqualTo("back");
    }

    @Test
    void readsNoMoreThanTheOtherEndTakes() {
        join(IDLE, Duration.ZERO);
        destination.fill();
        client.send("x");
        assertThat(client.paused()).isTrue();
        assertThat(destination.received()).as("what was read goes on").isEqualTo("x");
        assertThat(destination.paused()).isFalse();

        destination.drain();
        assertThat(client.paused()).isFalse();
    }

    @Test
    void pausesWithinALongRead() {
        join(IDLE, Duration.ZERO);
        destination.fill();
        hold(client.taker(), "x".repeat(100_000));
        assertThat(client.paused()).isTrue();
    }

    @Test
    void pausesAtTheEndOfAReadWithoutBytes() {
        join(IDLE, Duration.ZERO);
        destination.fill();
        client.taker().readComplete();
        assertThat(client.paused()).isTrue();
    }

    // ---- ends

    @Test
    void endsOneDirectionAlone() {
        join(IDLE, Duration.ZERO);
        hold(client.taker(), "last");
        client.taker().finished();
        assertThat(destination.written()).isEqualTo("last");
        assertThat(ends()).isEqualTo("open, finished");

        destination.send("reply");
        assertThat(client.received()).isEqualTo("reply");
        assertThat(timerWaits()).isTrue();
    }

    @Test
    void anEndThatTakesNoMoreBytesEndsTheTunnelInOrder() {
        join(IDLE, Duration.ofHours(1));
        hold(client.taker(), "last");
        client.taker().completed();
        assertThat(destination.written()).isEqualTo("last");
        assertThat(ends()).isEqualTo("open, completed");
        assertThat(timerWaits()).isFalse();
    }

    @Test
    void aClosedEndClosesTheOther() {
        join(IDLE, Duration.ofHours(1));
        hold(destination.taker(), "last");
        destination.taker().gone();
        assertThat(client.written()).isEqualTo("last");
        assertThat(ends()).isEqualTo("closed, open");
        assertThat(timerWaits()).isFalse();
    }

    // ---- time

    @Test
    void endsAfterTheIdleTime() {
        join(IDLE, Duration.ZERO);
        for (FakeTunnelPeer end : new FakeTunnelPeer[] {client, destination}) {
            pass(IDLE.minusNanos(1));
            end.send("either direction counts");
        }
        pass(IDLE.minusNanos(1));
        assertThat(ends()).isEqualTo("open, open");
        pass(Duration.ofNanos(1));
        assertThat(ends()).isEqualTo("closed, closed");
    }

    @Test
    void endsAtItsMaximumAge() {
        join(IDLE, Duration.ofSeconds(10));
        pass(Duration.ofSeconds(9));
        client.send("busy");
        assertThat(ends()).isEqualTo("open, open");
        pass(Duration.ofSeconds(1));
        assertThat(ends()).isEqualTo("closed, closed");
    }

    @Test
    void idleTunnelsEndSoonWhenTheGatewayStops() {
        join(IDLE, Duration.ZERO);
        client.taker().draining();
        pass(DRAIN_IDLE.minusNanos(1));
        assertThat(ends()).isEqualTo("open, open");
        pass(Duration.ofNanos(1));
        assertThat(ends()).isEqualTo("closed, closed");
    }

    @Test
    void aShorterIdleTimeStaysWhenTheGatewayStops() {
        join(Duration.ofMillis(20), Duration.ZERO);
        client.taker().draining();
        pass(Duration.ofMillis(20));
        assertThat(ends()).isEqualTo("closed, closed");
    }
}
