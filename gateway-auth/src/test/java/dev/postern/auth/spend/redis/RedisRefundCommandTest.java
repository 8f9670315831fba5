package dev.postern.auth.spend.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.auth.spend.store.Refunds;
import dev.postern.auth.spend.store.StoreReply;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisException;
import io.lettuce.core.RedisNoScriptException;
import io.lettuce.core.RedisURI;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class RedisRefundCommandTest {

    private static final int MAX = 10_000;

    private final RedisFixture fixture = new RedisFixture();
    private final RedisTopology topology =
            new RedisTopology(new RedisServer.Address("one:1", RedisURI.create("one", 1), false), fixture::server);
    private final Refunds<PendingInsert> refunds =
            new Refunds<>(fixture.resources, new RedisRefundCommand(topology, fixture.scheduler));
    private FakeRedis redis;

    @BeforeEach
    void connect() {
        connect(fixture.ticker.nanoTime());
    }

    private void connect(long now) {
        topology.maintain(Runnable::run, now);
        redis = fixture.connect();
        topology.maintain(Runnable::run, now);
        fixture.show(redis, SpendKeys.SHARDS, FakeRedis.MASTER, RedisFixture.MARKER);
    }

    @AfterEach
    void close() {
        fixture.close();
    }

    @Test
    void removesItsOwnSpendAndItsCacheEntry() {
        PendingInsert insert = call(StoreReply.STORED);
        byte[] key = insert.request().redemption().key();
        fixture.spent.add(key);
        int flushesBefore = redis.flushes.get();

        refunds.add(insert);
        FakeRedis.Call requested = redis.next();

        assertThat(requested.runs(Scripts.REFUND)).isTrue();
        assertThat(requested.key(0)).isEqualTo(insert.request().key());
        assertThat(requested.value(0)).isEqualTo(insert.request().attempt());
        fixture.settle();
        assertThat(redis.flushes.get() - flushesBefore).isEqualTo(1);
        assertThat(fixture.spent.contains(key)).isTrue();
        requested.response().complete(Scripts.REFUNDED);
        assertEnded(1, 0);
        assertThat(fixture.spent.contains(key)).isFalse();
    }

    @Test
    void sendsTheTextOfAScriptThatTheServerHasForgotten() {
        PendingInsert insert = call(StoreReply.STORED);
        int flushesBefore = redis.flushes.get();

        refunds.add(insert);
        redis.next("evalsha").response().completeExceptionally(new RedisNoScriptException("NOSCRIPT"));
        FakeRedis.Call text = redis.next();

        assertThat(text.runsText(Scripts.REFUND)).isTrue();
        assertThat(text.key(0)).isEqualTo(insert.request().key());
        assertThat(text.value(0)).isEqualTo(insert.request().attempt());
        text.response().complete(Scripts.REFUNDED);
        assertEnded(1, 0);
        assertThat(redis.flushes.get() - flushesBefore).isEqualTo(2);
    }

    @Test
    void keepsTheSpendOfAnotherRequest() {
        PendingInsert insert = call(StoreReply.STORED);
        fixture.spent.add(insert.request().redemption().key());

        refunds.add(insert);
        redis.next().response().complete(-1L);

        assertEnded(0, 1);
        assertThat(fixture.spent.contains(insert.request().redemption().key())).isTrue();
    }

    @Test
    void repeatsOnlyForASpendThatMayBeStoredLate() {
        refunds.add(call(StoreReply.STORED));
        redis.next().response().complete(Scripts.NOT_THERE);
        assertEnded(0, 1);

        refunds.add(call(StoreReply.LOST));
        redis.next().response().complete(Scripts.NOT_THERE);
        redis.next().response().complete(Scripts.NOT_THERE);
        assertEnded(0, 1);
        redis.next().response().complete(Scripts.REFUNDED);
        assertEnded(1, 1);
    }

    @Test
    void repeatsWithoutAResponseOrAConnection() {
        refunds.add(call(StoreReply.STORED));
        FakeRedis.Call requested = redis.next();
        redis.accept(1);
        requested.response().completeExceptionally(new RedisException("gone"));
        FakeRedis.Call again = redis.next();
        again.response().completeExceptionally(new RedisException("gone"));
        fixture.settle();
        assertEnded(0, 0);

        redis.accept(Integer.MAX_VALUE);

        redis.next().response().complete(Scripts.REFUNDED);
        assertEnded(1, 0);
    }

    @Test
    void repeatsWhenTheConnectionTookNoCommand() {
        redis.accept(0);
        refunds.add(call(StoreReply.STORED));
        fixture.settle();
        assertThat(redis.waiting()).isZero();

        redis.accept(Integer.MAX_VALUE);

        redis.next().response().complete(Scripts.REFUNDED);
        assertEnded(1, 0);
    }

    @Test
    void showsThatARefundWasRefused() {
        refunds.add(call(StoreReply.STORED));

        redis.next().response().completeExceptionally(new RedisCommandExecutionException("OOM command not allowed"));
        fixture.settle();

        assertThat(topology.all())
                .extracting(RedisServer::contact)
                .containsExactly(
                        "verified, 0 replicas, refuses commands: OOM: the memory of the server is full (maxmemory)");
    }

    @Test
    void sendsOnlyToAVerifiedServer() {
        redis.open = false;
        topology.maintain(Runnable::run, fixture.ticker.nanoTime());
        refunds.add(call(StoreReply.STORED));
        fixture.settle();
        assertThat(redis.waiting()).isZero();
        assertEnded(0, 0);

        connect(fixture.ticker.nanoTime() + TimeUnit.SECONDS.toNanos(1));

        redis.next().response().complete(Scripts.REFUNDED);
        assertEnded(1, 0);
    }

    @Test
    void limitsPendingRefunds() {
        for (int i = 0; i < MAX; i++) {
            refunds.add(call(StoreReply.STORED));
        }
        fixture.settle();
        assertEnded(0, 0);

        refunds.add(call(StoreReply.STORED));

        assertEnded(0, 1);
        redis.next().response().complete(Scripts.REFUNDED);
        fixture.settle();
        refunds.add(call(StoreReply.STORED));
        assertEnded(1, 1);
    }

    private PendingInsert call(StoreReply reply) {
        PendingInsert insert = fixture.insert(fixture.server());
        if (reply == StoreReply.STORED) {
            insert.came(Scripts.STORED, null, CompletableFuture.completedFuture(true));
        } else {
            insert.came(null, new RedisException("gone"), CompletableFuture.completedFuture(true));
        }
        return insert;
    }

    private void assertEnded(int refunded, int not) {
        fixture.settle();
        assertThat(fixture.events("given-back")).isEqualTo(refunded);
        assertThat(fixture.events("not-given-back")).isEqualTo(not);
    }
}
