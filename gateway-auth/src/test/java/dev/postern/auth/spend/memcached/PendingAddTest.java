package dev.postern.auth.spend.memcached;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.auth.spend.SpendLatency;
import dev.postern.auth.spend.SpendResult;
import dev.postern.auth.spend.store.EventLoopDeadlines;
import dev.postern.auth.spend.store.StoreReply;
import dev.postern.auth.spend.store.WriteTiming;
import dev.postern.auth.testing.LoopExtension;
import io.netty.channel.EventLoop;
import io.netty.util.concurrent.Ticker;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class PendingAddTest {

    @RegisterExtension
    static final LoopExtension LOOP = new LoopExtension();

    private final MemcachedFixture fixture = new MemcachedFixture();
    private final MemcachedServer server = fixture.server();
    private final FakeMemcachedConnection connection =
            new FakeMemcachedConnection(new MarkedConnection(new MarkedConnection.Listener() {}));

    @BeforeEach
    void verify() {
        fixture.state.observed(0, MemcachedFixture.MARKER);
        connection.connection().marker(MemcachedFixture.MARKER);
    }

    @AfterEach
    void close() {
        fixture.close();
    }

    @ParameterizedTest
    @CsvSource({"STORED, FRESH", "NOT_STORED, SPENT", "REFUSED, UNKNOWN", "UNSENT, UNKNOWN", "LOST, UNKNOWN"})
    void mapsTheReplyToAResult(StoreReply reply, SpendResult result) {
        PendingAdd add = fixture.attempt(server);
        assertThat(add.responded()).isFalse();
        assertThat(add.result()).isEqualTo(SpendResult.UNKNOWN);

        connection.settle(add, reply);

        assertThat(fixture.responses).containsExactly(add);
        assertThat(add.responded()).isTrue();
        assertThat(add.result()).isEqualTo(result);
        assertThat(add.reply()).isEqualTo(reply);
        assertThat(add.busy()).isFalse();
    }

    @Test
    void isNotFreshWithoutAMarkerOnTheConnection() {
        connection.connection().marker(null);
        PendingAdd add = fixture.attempt(server);

        connection.settle(add, StoreReply.STORED);

        assertThat(add.result()).isEqualTo(SpendResult.UNKNOWN);
    }

    @Test
    void isNotFreshWithAnOutdatedMarker() {
        PendingAdd add = fixture.attempt(server);
        fixture.state.observed(0, MemcachedFixture.OTHER_MARKER);

        connection.settle(add, StoreReply.STORED);

        assertThat(add.result()).isEqualTo(SpendResult.UNKNOWN);
    }

    @Test
    void isNotFreshWithTheMarkerOfAnotherEpoch() {
        PendingAdd add = fixture.attempt(server);
        fixture.state.observed(1, MemcachedFixture.OTHER_MARKER);

        connection.settle(add, StoreReply.STORED);

        assertThat(add.result()).isEqualTo(SpendResult.UNKNOWN);
    }

    @ParameterizedTest
    @EnumSource
    void staysUnknownAfterItsDeadline(StoreReply reply) {
        PendingAdd add = fixture.attempt(server);

        add.expire();
        assertThat(fixture.responses).containsExactly(add);
        connection.settle(add, reply);

        assertThat(fixture.responses).as("completed once").hasSize(1);
        assertThat(add.result()).isEqualTo(SpendResult.UNKNOWN);
        assertThat(add.responded()).isTrue();
        assertThat(fixture.registry.counter("postern.ledger.late").count()).isEqualTo(1);
    }

    @Test
    void getsNoSecondResultAtItsDeadline() {
        PendingAdd add = fixture.attempt(server);
        connection.settle(add, StoreReply.STORED);

        add.expire();

        assertThat(fixture.responses).hasSize(1);
        assertThat(add.result()).isEqualTo(SpendResult.FRESH);
    }

    @Test
    void recordsASpentTokenAlsoAfterItsDeadline() {
        PendingAdd add = fixture.attempt(server);
        add.expire();
        assertThat(fixture.spent.contains(add.redemption().key())).isFalse();

        connection.settle(add, StoreReply.NOT_STORED);

        assertThat(fixture.spent.contains(add.redemption().key())).isTrue();
    }

    @Test
    void opensTheBreakerForLostUnsentAndLateSpendsOnly() {
        for (int i = 0; i < 100; i++) {
            connection.settle(fixture.attempt(server), StoreReply.values()[i % 3]);
        }
        assertThat(server.state()).endsWith("breaker closed");
        for (StoreReply reply : new StoreReply[] {StoreReply.LOST, StoreReply.UNSENT}) {
            MemcachedServer other = fixture.server();
            for (int i = 0; i < 64; i++) {
                connection.settle(fixture.attempt(other), reply);
            }
            assertThat(other.state()).as("%s", reply).endsWith("breaker open");
        }
        MemcachedServer late = fixture.server();
        for (int i = 0; i < 64; i++) {
            fixture.attempt(late).expire();
        }
        assertThat(late.state()).endsWith("breaker open");
    }

    @Test
    void measuresQueueAndStoreSeparately() {
        PendingAdd add = fixture.attempt(server);
        WriteTiming timing = new WriteTiming();
        add.goes(timing);
        long now = Ticker.systemTicker().nanoTime();

        assertThat(add.times(now - 300, now + 1_000)).isEqualTo(new SpendLatency(1_300, 0, 0));

        timing.begin(now);
        timing.end(now + 10);

        assertThat(add.times(now - 300, now + 1_000)).isEqualTo(new SpendLatency(300, 10, 0));
        assertThat(add.times(now - 300, now + 5_000)).isEqualTo(new SpendLatency(300, 10, 0));
    }

    @Test
    void measuresTheTimeAfterTheResponse() {
        long begin = Ticker.systemTicker().nanoTime();
        PendingAdd add = fixture.attempt(server);
        add.goes(new WriteTiming());
        connection.settle(add, StoreReply.NOT_STORED);
        long now = Ticker.systemTicker().nanoTime();

        assertThat(add.times(begin, now + 1_000).back())
                .isEqualTo(add.times(begin, now).back() + 1_000);
        assertThat(add.times(begin, now + 1_000).queue())
                .isEqualTo(add.times(begin, now).queue());
    }

    @Test
    void measuresNothingForAnUnsentSpend() {
        PendingAdd add = fixture.attempt(server);

        connection.settle(add, StoreReply.UNSENT);

        assertThat(add.times(1, 5)).isEqualTo(SpendLatency.NONE);
    }

    @Test
    void completesOnItsLoopWhenTheReplyArrivesOnAnotherThread() throws Exception {
        CompletableFuture<Boolean> done = new CompletableFuture<>();
        EventLoop loop = LOOP.loop();
        PendingAdd add = new PendingAdd(
                fixture.token(),
                server,
                new EventLoopDeadlines(loop),
                Ticker.systemTicker().nanoTime() + TimeUnit.HOURS.toNanos(1),
                1,
                spend -> done.complete(loop.inEventLoop()));

        add.settled(StoreReply.NOT_STORED);

        assertThat(done.get(10, TimeUnit.SECONDS)).isTrue();
        assertThat(add.result()).isEqualTo(SpendResult.SPENT);
        assertThat(add.loop()).isSameAs(loop);
    }
}
