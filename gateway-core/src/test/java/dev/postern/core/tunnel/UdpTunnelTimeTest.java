package dev.postern.core.tunnel;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.core.testing.EmbeddedSocket;
import dev.postern.core.testing.FakeTunnelPeer;
import dev.postern.core.testing.LeakExtension;
import dev.postern.core.testing.UdpTunnelClient;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.netty.buffer.Unpooled;
import io.netty.channel.WriteBufferWaterMark;
import io.netty.channel.socket.DatagramPacket;
import io.netty.util.concurrent.MockTicker;
import io.netty.util.concurrent.Ticker;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Tests when a UDP tunnel ends, and how long its datagrams wait, with the time of a test. */
@ExtendWith(LeakExtension.class)
class UdpTunnelTimeTest {

    private static final Duration IDLE = Duration.ofMinutes(2);
    private static final Duration LIFETIME = Duration.ofHours(1);
    private static final Duration TOO_OLD = Duration.ofNanos(DatagramQueue.MAX_AGE + 1);

    private final MockTicker ticker = Ticker.newMockTicker();
    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private final EmbeddedSocket socket = new EmbeddedSocket(ticker);
    private final FakeTunnelPeer client = new FakeTunnelPeer(socket.eventLoop());
    private final UdpTunnel tunnel =
            new UdpTunnel(socket, new UdpTunnel.Limits(IDLE, LIFETIME, 64 * 1024), new DatagramMeters(registry));

    @BeforeEach
    void open() {
        socket.config().setAutoRead(false);
        assertThat(tunnel.opened()).isFalse();
        tunnel.open(client);
        assertThat(tunnel.opened()).isTrue();
        assertThat(socket.config().isAutoRead()).isTrue();
    }

    @AfterEach
    void close() {
        socket.finishAndReleaseAll();
        registry.close();
    }

    private static String capsule(String payload) {
        return new String(UdpTunnelClient.capsule(payload.getBytes(ISO_8859_1)), ISO_8859_1);
    }

    private void arrive(String payload) {
        InetSocketAddress address = new InetSocketAddress("127.0.0.1", 1);
        socket.pipeline()
                .fireChannelRead(new DatagramPacket(Unpooled.copiedBuffer(payload, ISO_8859_1), address, address));
        socket.pipeline().fireChannelReadComplete();
    }

    private void pass(Duration time) {
        ticker.advance(time.toNanos(), TimeUnit.NANOSECONDS);
        socket.runScheduledPendingTasks();
        socket.runPendingTasks();
    }

    private double count(String direction, String outcome) {
        return registry.get("postern.tunnel.datagrams")
                .tags("direction", direction, "outcome", outcome)
                .functionCounter()
                .count();
    }

    @Test
    void datagramsOfEitherDirectionKeepItOpen() {
        pass(IDLE.minusNanos(1));
        arrive("back");
        pass(IDLE.minusNanos(1));
        client.send(capsule("to"));
        pass(IDLE.minusNanos(1));
        assertThat(client.end()).isEqualTo("open");

        pass(Duration.ofNanos(1));
        assertThat(client.end()).isEqualTo("completed");
        assertThat(socket.isOpen()).isFalse();
    }

    /** A client that sends capsules of another kind sends no datagram. */
    @Test
    void otherCapsulesDoNotKeepItOpen() {
        pass(IDLE.minusNanos(1));
        client.send("\u0017\u0001x");
        pass(Duration.ofNanos(1));
        assertThat(client.end()).isEqualTo("completed");
    }

    @Test
    void countsDatagramsOfOtherContexts() {
        client.send("\u0000\u0002\u0002x");
        assertThat(count("to-destination", "unknown-context")).isEqualTo(1);
        assertThat(count("to-destination", "forwarded")).isZero();
    }

    @Test
    void endsAtItsMaximumAge() {
        for (int minute = 1; minute < LIFETIME.toMinutes(); minute++) {
            pass(Duration.ofMinutes(1));
            arrive("busy");
        }
        assertThat(client.end()).isEqualTo("open");
        pass(Duration.ofMinutes(1));
        assertThat(client.end()).isEqualTo("completed");
    }

    @Test
    void aClosedSocketKeepsNoTimer() {
        socket.close();
        assertThat(socket.runScheduledPendingTasks()).isEqualTo(-1);
        assertThat(client.end()).isEqualTo("open");
    }

    @Test
    void aClientGetsNoDatagramThatWaitedTooLong() {
        client.fill();
        arrive("old");
        pass(TOO_OLD);
        arrive("new");
        client.drain();
        assertThat(client.received()).isEqualTo(capsule("new"));
        assertThat(count("to-client", "dropped")).isEqualTo(1);
        assertThat(count("to-client", "forwarded")).isEqualTo(1);
    }

    @Test
    void aDestinationGetsNoDatagramThatWaitedTooLong() {
        socket.config().setWriteBufferWaterMark(new WriteBufferWaterMark(1, 2));
        socket.fill();
        client.send(capsule("fills"));
        socket.runPendingTasks();
        client.send(capsule("old"));
        pass(TOO_OLD);
        client.send(capsule("new"));
        socket.drain();
        socket.runPendingTasks();
        assertThat(socket.taken()).isEqualTo("fillsnew");
        assertThat(count("to-destination", "dropped")).isEqualTo(1);
    }

    @Test
    void releasesTheDatagramsOfAnUnfinishedRead() {
        InetSocketAddress address = new InetSocketAddress("127.0.0.1", 1);
        socket.pipeline()
                .fireChannelRead(new DatagramPacket(Unpooled.copiedBuffer("half", ISO_8859_1), address, address));
        socket.close();
        assertThat(client.written()).isEmpty();
    }
}
