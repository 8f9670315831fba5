package dev.postern.auth.spend.memcached.spy;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.auth.spend.SpendLatency;
import dev.postern.auth.spend.SpendResult;
import dev.postern.auth.spend.memcached.MemcachedConnection;
import dev.postern.auth.spend.memcached.PendingAdd;
import dev.postern.auth.spend.memcached.SharedConnectionFixture;
import dev.postern.auth.spend.memcached.command.MemcachedEncoding;
import dev.postern.auth.spend.memcached.command.StoreCommand;
import dev.postern.auth.spend.store.StoreReply;
import io.netty.channel.DefaultEventLoop;
import io.netty.channel.EventLoop;
import io.netty.util.concurrent.Ticker;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests a connection that is never established: nothing can listen on port 0. */
class SpyMemcachedConnectionTest {

    private final SharedConnectionFixture fixture = new SharedConnectionFixture();
    private final Set<Thread> before = threads();
    private final MemcachedConnection connection;

    SpyMemcachedConnectionTest() throws IOException {
        connection = new SpyConnections(1, fixture.encoding, Ticker.systemTicker())
                .opener(0)
                .open(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), fixture.connection);
    }

    @AfterEach
    void close() {
        connection.close();
        fixture.close();
    }

    @Test
    void limitsSpendsInFlight() {
        for (int i = 0; i < MemcachedConnection.MAX_IN_FLIGHT; i++) {
            assertThat(connection.enter()).isTrue();
        }
        assertThat(connection.enter()).isFalse();
        assertThat(connection.inFlight()).isEqualTo(MemcachedConnection.MAX_IN_FLIGHT);

        connection.leave();

        assertThat(connection.inFlight()).isEqualTo(MemcachedConnection.MAX_IN_FLIGHT - 1);
        assertThat(connection.enter()).isTrue();
    }

    @Test
    void completesSpendsOfOneLoopIterationAsUnsentAtItsEnd() {
        long begin = Ticker.systemTicker().nanoTime();
        List<PendingAdd> adds = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            PendingAdd add = fixture.attempt();
            adds.add(add);
            assertThat(connection.enter()).isTrue();
            connection.spend(add);
        }
        assertThat(fixture.responses).isEmpty();

        fixture.channel.runPendingTasks();

        assertThat(adds).extracting(PendingAdd::reply).containsOnly(StoreReply.UNSENT);
        assertThat(adds).extracting(PendingAdd::result).containsOnly(SpendResult.UNKNOWN);
        assertThat(fixture.responses).hasSize(3);
        assertThat(connection.inFlight()).isZero();
        SpendLatency latency = adds.get(0).times(begin, Ticker.systemTicker().nanoTime());
        assertThat(latency.queue()).as("waited, and was never written").isPositive();
        assertThat(latency.write()).isZero();
    }

    @Test
    void completesASingleSpend() {
        PendingAdd add = fixture.attempt();
        connection.enter();
        connection.spend(add);

        fixture.channel.runPendingTasks();

        assertThat(add.reply()).isEqualTo(StoreReply.UNSENT);
    }

    @Test
    void completesAFullBatchAtOnce() {
        for (int i = 0; i < 64; i++) {
            assertThat(fixture.responses).isEmpty();
            connection.enter();
            connection.spend(fixture.attempt());
        }

        assertThat(fixture.responses).hasSize(64);
    }

    @Test
    void sendsNoCommand() {
        List<StoreReply> replies = new ArrayList<>();
        byte[] key = fixture.encoding.epoch();

        assertThat(connection.send(new StoreCommand(
                        MemcachedEncoding.set(key, key), Ticker.systemTicker().nanoTime() + 1, replies::add)))
                .isFalse();

        assertThat(replies).as("the caller knows").isEmpty();
    }

    @Test
    void runsEachContinuationOnceOnItsLoopInOrder() throws Exception {
        EventLoop loop = new DefaultEventLoop();
        try {
            List<Integer> ran = new ArrayList<>();
            for (int round = 0; round < 3; round++) {
                CompletableFuture<Boolean> done = new CompletableFuture<>();
                int first = 2 * round;
                connection.readReplies(loop, () -> ran.add(first));
                connection.readReplies(loop, () -> {
                    ran.add(first + 1);
                    done.complete(loop.inEventLoop());
                });
                assertThat(done.get(10, SECONDS)).isTrue();
            }
            assertThat(ran).containsExactly(0, 1, 2, 3, 4, 5);
        } finally {
            loop.shutdownGracefully(0, 0, SECONDS);
        }
    }

    @Test
    void endsItsThreadOnClose() throws InterruptedException {
        Set<Thread> opened = threads();
        opened.removeAll(before);
        assertThat(opened).hasSize(1).allMatch(Thread::isDaemon);
        assertThat(connection.alive()).isTrue();
        assertThat(fixture.verified()).isTrue();

        connection.close();

        assertThat(fixture.verified()).isFalse();
        for (Thread thread : opened) {
            thread.join(SECONDS.toMillis(10));
        }
        assertThat(connection.alive()).isFalse();
    }

    /** Returns the I/O threads of the library. */
    private static Set<Thread> threads() {
        Set<Thread> threads = new HashSet<>(Thread.getAllStackTraces().keySet());
        threads.removeIf(thread -> !(thread instanceof net.spy.memcached.MemcachedConnection));
        return threads;
    }
}
