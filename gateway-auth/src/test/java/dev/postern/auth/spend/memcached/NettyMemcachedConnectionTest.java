package dev.postern.auth.spend.memcached;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postern.auth.spend.SpendLatency;
import dev.postern.auth.spend.SpendResult;
import dev.postern.auth.spend.memcached.command.MemcachedEncoding;
import dev.postern.auth.spend.memcached.command.StoreCommand;
import dev.postern.auth.spend.store.StoreReply;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.DefaultEventLoop;
import io.netty.channel.EventLoop;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.util.concurrent.Ticker;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Tests the limit, sending and batching of the connection. */
class NettyMemcachedConnectionTest extends NettyMemcachedConnectionFixture {

    @Test
    void limitsSpendsInFlight() {
        for (int i = 0; i < MemcachedConnection.MAX_IN_FLIGHT - 1; i++) {
            assertThat(memcachedConnection.enter()).isTrue();
        }
        begin(1);
        assertThat(memcachedConnection.inFlight()).isEqualTo(MemcachedConnection.MAX_IN_FLIGHT);
        assertThat(memcachedConnection.enter()).isFalse();

        receive(STORED);

        assertThat(memcachedConnection.inFlight()).isEqualTo(MemcachedConnection.MAX_IN_FLIGHT - 1);
        assertThat(memcachedConnection.enter()).isTrue();
        assertThat(memcachedConnection.enter()).isFalse();
    }

    @Test
    void sendsNothingAfterClose() {
        channel.close();
        List<StoreReply> command = new ArrayList<>();

        PendingAdd add = begin(1).get(0);

        assertThat(add.reply()).isEqualTo(StoreReply.UNSENT);
        assertThat(add.result()).isEqualTo(SpendResult.UNKNOWN);
        assertThat(memcachedConnection.inFlight()).isZero();
        assertThat(memcachedConnection.send(new StoreCommand(
                        MemcachedEncoding.set(fixture.encoding.epoch(), MemcachedFixture.MARKER),
                        later(),
                        command::add)))
                .isFalse();
        assertThat(command).isEmpty();
    }

    @Test
    void completesACommandThatWasSentJustBeforeTheClose() {
        List<StoreReply> command = new ArrayList<>();
        assertThat(memcachedConnection.send(new StoreCommand(
                        MemcachedEncoding.set(fixture.encoding.epoch(), MemcachedFixture.MARKER),
                        later(),
                        command::add)))
                .isTrue();

        channel.unsafe().closeForcibly();
        channel.runPendingTasks();

        assertThat(command).containsExactly(StoreReply.UNSENT);
    }

    @Test
    void writesNoExpiredCommand() {
        List<StoreReply> command = new ArrayList<>();

        memcachedConnection.send(new StoreCommand(
                MemcachedEncoding.set(fixture.encoding.epoch(), MemcachedFixture.MARKER),
                Ticker.systemTicker().nanoTime(),
                command::add));
        channel.runPendingTasks();

        assertThat(command).containsExactly(StoreReply.UNSENT);
        assertThat(written()).isEmpty();
        PendingAdd add = begin(1).get(0);
        receive(STORED + SHOWN);
        assertThat(add.result()).as("no other command waits for a response").isEqualTo(SpendResult.FRESH);
    }

    @Test
    void writesTheCommandsOfOneLoopIterationTogether() {
        for (int spends : new int[] {3, 2}) {
            begin(spends);
            assertThat(channel.outboundMessages()).hasSize(1);
            String written = written();
            assertThat(written.split("add test:1:", -1)).hasSize(1 + spends);
            assertThat(written.split(GETS_MARKER, -1)).hasSize(1 + 1);
            assertThat(written).as("after all spends").endsWith(GETS_MARKER);
        }
    }

    @Test
    void writesLargeBatchesAtOnce() {
        int length = "add test:1:".length() + 22 + " 0 602 16\r\n".length() + 16 + 2;
        int many = 64 * 1024 / length + 1;
        for (int i = 0; i < many - 1; i++) {
            memcachedConnection.spend(fixture.attempt(server));
        }
        assertThat(channel.outboundMessages()).isEmpty();
        memcachedConnection.spend(fixture.attempt(server));
        assertThat(channel.outboundMessages()).hasSize(1);

        assertThat(written()).hasSize(many * length + GETS_MARKER.length());
        channel.runPendingTasks();
        assertThat(written()).isEmpty();
    }

    @Test
    void writesABatchOfExactlyTheMaximumSizeAtOnce() {
        for (int size : new int[] {64 * 1024, 1}) {
            memcachedConnection.send(new StoreCommand(ByteBuffer.allocate(size), later(), reply -> {}));
        }

        channel.runPendingTasks();

        assertThat(channel.outboundMessages())
                .as("the second has its own batch")
                .hasSize(2);
        assertThat(written()).hasSize(64 * 1024 + 1);
    }

    @Test
    void releasesItsBatchOnClose() {
        UnpooledByteBufAllocator buffers = new UnpooledByteBufAllocator(true);
        channel.config().setAllocator(buffers);
        memcachedConnection.enter();
        PendingAdd add = fixture.attempt(server);
        memcachedConnection.spend(add);
        assertThat(buffers.metric().usedDirectMemory()).isPositive();

        channel.pipeline().remove(memcachedConnection);

        assertThat(buffers.metric().usedDirectMemory()).isZero();
        assertThat(add.reply()).isEqualTo(StoreReply.LOST);
        assertThat(memcachedConnection.inFlight()).isZero();
        assertThat(memcachedConnection.alive()).isFalse();
    }

    @Test
    void doesNotSendOverALoopThatHasEnded() throws Exception {
        EventLoop ended = new DefaultEventLoop();
        NettyMemcachedConnection other = new NettyMemcachedConnection(ended, connection, fixture.encoding);
        other.handlerAdded(channel.pipeline().firstContext());
        ended.shutdownGracefully(0, 0, TimeUnit.SECONDS).get(10, TimeUnit.SECONDS);
        List<StoreReply> replies = new ArrayList<>();

        assertThat(other.send(new StoreCommand(ByteBuffer.allocate(1), later(), replies::add)))
                .isFalse();

        assertThat(replies).as("the caller knows").isEmpty();
    }

    @Test
    void isLostWhenTheConnectionEndsAfterTheWrite() {
        List<StoreReply> replies = new ArrayList<>();
        memcachedConnection.send(new StoreCommand(ByteBuffer.allocate(1), later(), replies::add));
        channel.runPendingTasks();

        channel.close();

        assertThat(replies).containsExactly(StoreReply.LOST);
    }

    @Test
    void measuresTheWriteOfEachBatch() {
        long begin = Ticker.systemTicker().nanoTime();
        PendingAdd add = fixture.attempt(server);
        memcachedConnection.enter();
        memcachedConnection.spend(add);
        long hour = TimeUnit.HOURS.toNanos(1);
        assertThat(add.times(begin, begin + hour)).as("queued").isEqualTo(new SpendLatency(hour, 0, 0));

        channel.runPendingTasks();

        SpendLatency written = add.times(begin, begin + hour);
        assertThat(written.queue()).isPositive().isLessThan(hour);
        assertThat(written.write()).isLessThan(hour - written.queue());
    }

    @Test
    void countsItsDeadlineFromTheWrite() {
        PendingAdd add = fixture.attempt(server);
        assertThat(add.dueNanos()).as("not written").isEqualTo(add.deadlineNanos());
        long before = Ticker.systemTicker().nanoTime();

        memcachedConnection.enter();
        memcachedConnection.spend(add);
        assertThat(add.dueNanos()).as("queued").isEqualTo(add.deadlineNanos());
        channel.runPendingTasks();

        assertThat(add.dueNanos() - before)
                .isBetween(MemcachedFixture.DEADLINE.toNanos(), add.deadlineNanos() - before - 1);
        assertThat(add.timeoutNanos()).isEqualTo(MemcachedFixture.DEADLINE.toNanos());
        assertThat(add.loop()).isSameAs(channel.eventLoop());
    }

    @Test
    void runsContinuationsInTheNextIteration() {
        List<String> ran = new ArrayList<>();

        memcachedConnection.readReplies(channel.eventLoop(), () -> ran.add("continuation"));
        channel.runPendingTasks();
        assertThat(ran).as("replies of this iteration may be unread").isEmpty();
        channel.advanceTimeBy(1, TimeUnit.MILLISECONDS);
        channel.runScheduledPendingTasks();

        assertThat(ran).containsExactly("continuation");
    }

    @Test
    void readsTcpNoDelayFromTheSocket() throws IOException {
        NettyMemcachedConnection other =
                new NettyMemcachedConnection(channel.eventLoop(), connection, fixture.encoding);
        assertThatThrownBy(other::tcpNoDelay).isInstanceOf(IOException.class).hasMessage("not connected");
        NioSocketChannel socket = new NioSocketChannel();
        try {
            socket.pipeline().addLast(new ChannelInboundHandlerAdapter());
            other.handlerAdded(socket.pipeline().firstContext());
            for (boolean set : new boolean[] {true, false}) {
                socket.config().setTcpNoDelay(set);
                assertThat(other.tcpNoDelay()).isEqualTo(set);
            }
        } finally {
            socket.unsafe().closeForcibly();
        }
    }

    @Test
    void dividesTheSegmentsOfTheSocketByTheCommands() {
        CountedSegmentsChannel socket = new CountedSegmentsChannel(6);
        NettyMemcachedConnection other = new NettyMemcachedConnection(socket.eventLoop(), connection, fixture.encoding);
        socket.pipeline().addLast(other);
        assertThat(other.segmentsPerCommand()).as("before the first command").isNaN();

        for (int i = 0; i < 3; i++) {
            other.spend(fixture.attempt(server));
        }
        assertThat(other.segmentsPerCommand()).as("of spends").isEqualTo(2);
        other.send(new StoreCommand(ByteBuffer.allocate(1), later(), reply -> {}));
        socket.runPendingTasks();
        assertThat(other.segmentsPerCommand()).as("of all commands").isEqualTo(1.5);
        socket.finishAndReleaseAll();
    }

    @Test
    void knowsNoSegmentsWithoutASocket() {
        NettyMemcachedConnection other =
                new NettyMemcachedConnection(channel.eventLoop(), connection, fixture.encoding);
        assertThat(other.segmentsPerCommand()).isNaN();
        begin(1);

        assertThat(memcachedConnection.segmentsPerCommand()).isNaN();
    }
}
