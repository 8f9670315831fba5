package dev.postern.auth.spend.memcached;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.auth.spend.SpendResult;
import dev.postern.auth.spend.memcached.command.MemcachedEncoding;
import dev.postern.auth.spend.memcached.command.StoreCommand;
import dev.postern.auth.spend.store.StoreReply;
import io.netty.buffer.UnpooledByteBufAllocator;
import java.util.ArrayList;
import java.util.List;
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
                        MemcachedEncoding.set(fixture.keys.epoch(), MemcachedFixture.MARK), later(), command::add)))
                .isFalse();
        assertThat(command).isEmpty();
    }

    @Test
    void completesACommandThatWasSentJustBeforeTheClose() {
        List<StoreReply> command = new ArrayList<>();
        assertThat(memcachedConnection.send(new StoreCommand(
                        MemcachedEncoding.set(fixture.keys.epoch(), MemcachedFixture.MARK), later(), command::add)))
                .isTrue();

        channel.unsafe().closeForcibly();
        channel.runPendingTasks();

        assertThat(command).containsExactly(StoreReply.UNSENT);
    }

    @Test
    void writesNoExpiredCommand() {
        List<StoreReply> command = new ArrayList<>();

        memcachedConnection.send(new StoreCommand(
                MemcachedEncoding.set(fixture.keys.epoch(), MemcachedFixture.MARK), System.nanoTime(), command::add));
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
            assertThat(written.split(GETS_MARK, -1)).hasSize(1 + 1);
            assertThat(written).as("after all spends").endsWith(GETS_MARK);
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

        assertThat(written()).hasSize(many * length + GETS_MARK.length());
        channel.runPendingTasks();
        assertThat(written()).isEmpty();
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
}
