package dev.postern.core.tunnel;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.core.testing.LeakExtension;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.buffer.UnpooledHeapByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.ChannelPromise;
import io.netty.channel.WriteBufferWaterMark;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.channel.socket.DatagramPacket;
import io.netty.util.concurrent.Ticker;
import java.net.InetSocketAddress;
import java.net.PortUnreachableException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Tests the relay of datagrams with an embedded channel as socket and a client's end that records. */
@ExtendWith(LeakExtension.class)
class UdpTunnelTest {

    private static final int QUEUE = 2_048;

    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private final EmbeddedChannel socket = new EmbeddedChannel();
    private final RecordingPeer client = new RecordingPeer(socket);
    private final UdpTunnel tunnel = new UdpTunnel(
            socket,
            new UdpTunnel.Limits(Duration.ofMinutes(2), Duration.ofHours(1), QUEUE),
            new DatagramMeters(registry));

    @AfterEach
    void close() {
        socket.finishAndReleaseAll();
        registry.close();
    }

    private double count(String direction, String outcome) {
        return registry.get("postern.tunnel.datagrams")
                .tags("direction", direction, "outcome", outcome)
                .functionCounter()
                .count();
    }

    private static ByteBuf text(String text) {
        return Unpooled.copiedBuffer(text, ISO_8859_1);
    }

    private void arrive(String... payloads) {
        for (String payload : payloads) {
            socket.pipeline()
                    .fireChannelRead(new DatagramPacket(
                            text(payload),
                            new InetSocketAddress("127.0.0.1", 1),
                            new InetSocketAddress("127.0.0.1", 2)));
        }
        socket.pipeline().fireChannelReadComplete();
    }

    private List<String> sent() {
        List<String> all = new ArrayList<>();
        for (ByteBuf next = socket.readOutbound(); next != null; next = socket.readOutbound()) {
            all.add(next.toString(ISO_8859_1));
            next.release();
        }
        return all;
    }

    @Test
    void writesAllDatagramsOfOneReadAtOnce() {
        tunnel.open(client);
        arrive("one", "two", "");
        assertThat(client.written).containsExactly(RecordingPeer.hex("one", "two", ""));
        assertThat(client.flushes).isEqualTo(1);
    }

    @Test
    void writesTheDatagramsOfOneReadInBoundedPieces() {
        tunnel.open(client);
        String large = "x".repeat(40_000);
        arrive(large, large, large);
        assertThat(client.written)
                .containsExactly(RecordingPeer.hex(large), RecordingPeer.hex(large), RecordingPeer.hex(large));
    }

    @Test
    void sendsDatagramsWithOneFlush() {
        tunnel.open(client);
        client.bytes(RecordingPeer.hex("one", "two"));
        assertThat(sent()).isEmpty();
        socket.runPendingTasks();
        assertThat(sent()).containsExactly("one", "two");
    }

    @Test
    void boundsTheSystemCallsForEmptyDatagramsOfOneRead() {
        tunnel.open(client);
        client.bytes(RecordingPeer.hex("").repeat(10_000));
        double first = count("to-destination", "forwarded") + count("to-destination", "failed");
        assertThat(first).isEqualTo(64);
        socket.runPendingTasks();
        double all = count("to-destination", "forwarded") + count("to-destination", "failed");
        assertThat(all).isEqualTo(64 + QUEUE / 1024);
        assertThat(count("to-destination", "dropped")).isEqualTo(10_000 - all);
    }

    @Test
    void boundsTheTinyDatagramsOfOneIteration() {
        tunnel.open(client);
        client.bytes(RecordingPeer.hex("x").repeat(10_000));
        socket.runPendingTasks();
        List<String> first = sent();
        assertThat(first).hasSizeBetween(500, 1024);
        socket.runPendingTasks();
        assertThat(sent()).as("in the next one").hasSize(QUEUE / 64);
        assertThat(count("to-destination", "dropped")).isEqualTo(10_000 - first.size() - QUEUE / 64);
    }

    @Test
    void keepsTheOrderBehindAFullIteration() {
        socket.config().setWriteBufferWaterMark(new WriteBufferWaterMark(1 << 20, 1 << 21));
        tunnel.open(client);
        client.bytes(RecordingPeer.hex("x").repeat(1024) + RecordingPeer.hex("y"));
        client.bytes(RecordingPeer.hex("z"));
        socket.runPendingTasks();
        assertThat(sent()).hasSize(1024).containsOnly("x");
        client.bytes(RecordingPeer.hex("last"));
        socket.runPendingTasks();
        assertThat(sent()).containsExactly("y", "z", "last");
    }

    @Test
    void waitsForASocketThatStaysFull() {
        UnwritableSocket full = new UnwritableSocket();
        UdpTunnel stuck = new UdpTunnel(
                full,
                new UdpTunnel.Limits(Duration.ofMinutes(2), Duration.ofHours(1), QUEUE),
                new DatagramMeters(registry));
        RecordingPeer sender = new RecordingPeer(full);
        stuck.open(sender);
        sender.bytes(RecordingPeer.hex("one"));
        for (int i = 0; i < 5; i++) {
            full.runPendingTasks();
        }
        assertThat(full.looks).as("looks at a socket that takes nothing").isLessThan(5);
        full.finishAndReleaseAll();
    }

    /** Socket that takes nothing. */
    private static final class UnwritableSocket extends EmbeddedChannel {

        private int looks;

        @Override
        public boolean isWritable() {
            looks++;
            return false;
        }
    }

    /** A flood costs a look at each datagram, and no more for those that are dropped within the read. */
    @Test
    void doesTheWorkOfAReadOnceForAllItsDatagrams() {
        AtomicInteger clock = new AtomicInteger();
        CountedWrites writes = new CountedWrites();
        EmbeddedChannel counted = EmbeddedChannel.builder()
                .handlers(writes)
                .ticker(new CountedTicker(clock))
                .build();
        UdpTunnel flooded = new UdpTunnel(
                counted,
                new UdpTunnel.Limits(Duration.ofMinutes(2), Duration.ofHours(1), QUEUE),
                new DatagramMeters(registry));
        RecordingPeer sender = new RecordingPeer(counted);
        flooded.open(sender);
        CountedSlices read =
                new CountedSlices(HexFormat.of().parseHex(RecordingPeer.hex("x").repeat(10_000)));
        clock.set(0);

        sender.taker().data(read);
        sender.taker().readComplete();
        counted.runPendingTasks();
        counted.runPendingTasks();

        assertThat(writes.all).isBetween(500, 1024 + QUEUE / 64);
        assertThat(read.slices).isEqualTo(writes.all);
        assertThat(writes.flushes).isEqualTo(2);
        assertThat(clock.get())
                .as("looks at the clock; the embedded channel has its own, two at each write")
                .isLessThan(2 * writes.all + 50);
        counted.finishAndReleaseAll();
    }

    @Test
    void looksAtTheClockOnceForTheDatagramsOfADestination() {
        AtomicInteger clock = new AtomicInteger();
        EmbeddedChannel counted =
                EmbeddedChannel.builder().ticker(new CountedTicker(clock)).build();
        UdpTunnel flooded = new UdpTunnel(
                counted,
                new UdpTunnel.Limits(Duration.ofMinutes(2), Duration.ofHours(1), QUEUE),
                new DatagramMeters(registry));
        flooded.open(new RecordingPeer(counted));
        clock.set(0);

        InetSocketAddress address = new InetSocketAddress("127.0.0.1", 1);
        for (int i = 0; i < 100; i++) {
            counted.pipeline().fireChannelRead(new DatagramPacket(text("x"), address, address));
        }
        counted.pipeline().fireChannelReadComplete();
        assertThat(clock.get()).as("looks at the clock").isLessThan(5);
        counted.finishAndReleaseAll();
    }

    @Test
    void keepsTheOrderOfDatagramsThatWait() {
        socket.config().setWriteBufferWaterMark(new WriteBufferWaterMark(1, 2));
        tunnel.open(client);
        client.bytes(RecordingPeer.hex("one") + "0004"); // the socket is full, and a datagram begins
        client.bytes("00" + "747768" + "400040024000" + RecordingPeer.hex("three") + "400040054000736978");
        client.bytes(RecordingPeer.hex("seven"));
        for (int i = 0; i < 6; i++) {
            socket.runPendingTasks(); // one datagram each
        }
        assertThat(sent()).containsExactly("one", "twh", "three", "six", "seven");
    }

    /** Ticker that counts its readings. */
    private record CountedTicker(AtomicInteger readings) implements Ticker {

        @Override
        public long nanoTime() {
            readings.incrementAndGet();
            return 1;
        }

        @Override
        public long initialNanoTime() {
            return 1;
        }

        @Override
        public void sleep(long delay, TimeUnit unit) {
            throw new AssertionError("sleeps");
        }
    }

    /** Socket's end of the pipeline, which counts writes and flushes. */
    private static final class CountedWrites extends ChannelOutboundHandlerAdapter {

        private int all;
        private int flushes;

        @Override
        public void write(ChannelHandlerContext ctx, Object message, ChannelPromise promise) {
            all++;
            ctx.write(message, promise);
        }

        @Override
        public void flush(ChannelHandlerContext ctx) {
            flushes++;
            ctx.flush();
        }
    }

    /** Buffer that counts the slices taken of it. */
    private static final class CountedSlices extends UnpooledHeapByteBuf {

        private int slices;

        CountedSlices(byte[] bytes) {
            super(UnpooledByteBufAllocator.DEFAULT, bytes, bytes.length);
        }

        @Override
        public ByteBuf retainedSlice(int index, int length) {
            slices++;
            return super.retainedSlice(index, length);
        }
    }

    @Test
    void dropsTheOldestBeyondTheQueue() {
        tunnel.open(client);
        client.writable = false;
        String payload = "x".repeat(QUEUE / 4 - 10);
        for (int i = 0; i < 6; i++) {
            arrive(i + payload);
        }
        assertThat(client.written).isEmpty();
        assertThat(count("to-client", "dropped")).isEqualTo(2);

        client.writable = true;
        client.taker().writable();

        assertThat(client.written)
                .containsExactly(
                        RecordingPeer.hex("2" + payload),
                        RecordingPeer.hex("3" + payload),
                        RecordingPeer.hex("4" + payload),
                        RecordingPeer.hex("5" + payload));
        assertThat(count("to-client", "forwarded")).isEqualTo(4);
    }

    @Test
    void keepsTheOrderBehindWaitingDatagrams() {
        tunnel.open(client);
        client.writable = false;
        arrive("one");
        client.writable = true;
        arrive("two");
        assertThat(client.written).isEmpty();
        client.taker().writable();
        assertThat(client.written).containsExactly(RecordingPeer.hex("one"), RecordingPeer.hex("two"));
    }

    @Test
    void queuesForASocketThatIsFull() {
        socket.config().setWriteBufferWaterMark(new WriteBufferWaterMark(500, 1_000));
        tunnel.open(client);
        String payload = "x".repeat(900);
        client.bytes(RecordingPeer.hex("1" + payload, "2" + payload, "3" + payload, "4" + payload, "5" + payload));
        assertThat(count("to-destination", "forwarded")).isEqualTo(2);
        socket.runPendingTasks();
        socket.runPendingTasks();
        assertThat(sent()).containsExactly("1" + payload, "2" + payload, "4" + payload, "5" + payload);
        assertThat(count("to-destination", "dropped")).isEqualTo(1);
    }

    @Test
    void completesTheStreamBeforeItClosesTheSocket() {
        tunnel.open(client);
        client.taker().finished();
        assertThat(client.end).isEqualTo("completed, socket open");
        assertThat(socket.isOpen()).isFalse();
        assertThat(socket.runScheduledPendingTasks()).as("no timer is left").isEqualTo(-1);
    }

    @Test
    void completesTheStreamWhenNothingListens() {
        tunnel.open(client);
        socket.pipeline().fireExceptionCaught(new PortUnreachableException());
        assertThat(client.end).isEqualTo("completed, socket open");
        assertThat(socket.isOpen()).isFalse();
    }

    @Test
    void rejectsMalformedStreams() {
        tunnel.open(client);
        client.bytes("0000");
        assertThat(client.end).isEqualTo("rejected");
        assertThat(socket.isOpen()).isFalse();
    }

    @Test
    void rejectsAnEndInsideACapsule() {
        tunnel.open(client);
        client.bytes("000a00");
        client.taker().finished();
        assertThat(client.end).isEqualTo("rejected");
    }

    @Test
    void countsWritesThatFail() {
        tunnel.open(client);
        client.bytes(RecordingPeer.hex("one"));
        socket.pipeline().fireExceptionCaught(new java.io.IOException("Message too long"));
        assertThat(count("to-destination", "failed")).isEqualTo(1);
        assertThat(count("to-destination", "forwarded")).isZero();
        assertThat(socket.isOpen()).isTrue();
    }

    @Test
    void releasesWhatWaitsWhenItEnds() {
        tunnel.open(client);
        client.writable = false;
        arrive("one", "two");
        client.bytes("000a006162");
        client.taker().gone();
        assertThat(socket.isOpen()).isFalse();
        assertThat(count("to-client", "dropped")).isEqualTo(2);
    }

    @Test
    void endsSoonWithoutDatagramsWhenTheGatewayStops() {
        tunnel.open(client);
        assertThat(socket.runScheduledPendingTasks()).isGreaterThan(TunnelTimers.DRAIN_IDLE);
        client.taker().draining();
        assertThat(socket.runScheduledPendingTasks()).isBetween(1L, TunnelTimers.DRAIN_IDLE);
        assertThat(socket.isOpen()).isTrue();
    }
}
