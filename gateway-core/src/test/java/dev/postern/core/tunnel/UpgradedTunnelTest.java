package dev.postern.core.tunnel;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.core.testing.FakeTunnelPeer;
import dev.postern.core.testing.LeakExtension;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.util.concurrent.MockTicker;
import io.netty.util.concurrent.Ticker;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Tests a tunnel that opens behind its response, or never. */
@ExtendWith(LeakExtension.class)
class UpgradedTunnelTest {

    private final MockTicker ticker = Ticker.newMockTicker();
    private final EmbeddedChannel loop =
            EmbeddedChannel.builder().ticker(ticker).build();
    private final FakeTunnelPeer client = new FakeTunnelPeer(loop.eventLoop());
    private final FakeTunnelPeer upstream = new FakeTunnelPeer(loop.eventLoop());

    private UpgradedTunnel tunnel(ByteBuf early) {
        return new UpgradedTunnel(upstream, early, Duration.ofMinutes(5), Duration.ZERO);
    }

    private static ByteBuf text(String text) {
        return Unpooled.copiedBuffer(text, StandardCharsets.ISO_8859_1);
    }

    @Test
    void theClientGetsTheEarlyBytesFirst() {
        upstream.pause();
        UpgradedTunnel tunnel = tunnel(text("early "));
        assertThat(tunnel.opened()).isFalse();
        tunnel.open(client);
        assertThat(tunnel.opened()).isTrue();
        assertThat(client.received()).isEqualTo("early ");
        assertThat(upstream.paused()).isFalse();
        upstream.send("late");
        assertThat(client.received()).isEqualTo("early late");
    }

    @Test
    void writesNothingWithoutEarlyBytes() {
        ByteBuf none = Unpooled.buffer(1);
        tunnel(none).open(client);
        assertThat(client.writes()).isZero();
        assertThat(none.refCnt()).isZero();
    }

    @Test
    void aTunnelThatDoesNotOpenClosesItsUpstream() {
        ByteBuf early = text("early");
        UpgradedTunnel tunnel = tunnel(early);
        tunnel.drop();
        assertThat(early.refCnt()).isZero();
        assertThat(upstream.end()).isEqualTo("closed");
        assertThat(client.end()).isEqualTo("open");
    }

    @Test
    void knowsHowLongItIsIdle() {
        UpgradedTunnel tunnel = tunnel(text("early"));
        ticker.advance(1, TimeUnit.SECONDS);
        assertThat(tunnel.idleNanos(ticker.nanoTime())).as("before it opens").isZero();
        tunnel.open(client);
        ticker.advance(2, TimeUnit.SECONDS);
        assertThat(tunnel.idleNanos(ticker.nanoTime())).isEqualTo(TimeUnit.SECONDS.toNanos(2));
        client.send("x");
        assertThat(tunnel.idleNanos(ticker.nanoTime())).isZero();
    }

    @Test
    void closesBothEnds() {
        UpgradedTunnel tunnel = tunnel(Unpooled.EMPTY_BUFFER);
        tunnel.close();
        assertThat(upstream.end()).as("not open yet").isEqualTo("open");
        tunnel.open(client);
        tunnel.close();
        assertThat(client.end()).isEqualTo("closed");
        assertThat(upstream.end()).isEqualTo("closed");
        assertThat(loop.runScheduledPendingTasks()).as("no timer").isEqualTo(-1);
    }
}
