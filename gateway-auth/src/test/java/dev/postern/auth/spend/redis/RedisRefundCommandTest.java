package dev.postern.auth.spend.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.auth.spend.store.Refunds;
import dev.postern.auth.spend.store.StoreReply;
import io.lettuce.core.RedisException;
import io.lettuce.core.RedisURI;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class RedisRefundCommandTest {

    private static final int MAX = 10_000;

    private final RedisRig rig = new RedisRig();
    private final RedisTopology topology = new RedisTopology(RedisURI.create("one", 1), false, rig::server);
    private final Refunds<PendingInsert> refunds =
            new Refunds<>(rig.resources, new RedisRefundCommand(topology, rig.tender));
    private FakeRedis redis;

    @BeforeEach
    void connect() {
        connect(System.nanoTime());
    }

    private void connect(long now) {
        topology.tend(Runnable::run, now);
        redis = rig.connect();
        topology.tend(Runnable::run, now);
        rig.show(redis, SpendKeys.SHARDS, FakeRedis.MASTER, RedisRig.MARK);
    }

    @AfterEach
    void close() {
        rig.close();
    }

    @Test
    void takesOurOwnAttemptAwayAndForgetsThatItWasSpent() {
        PendingInsert insert = call(StoreReply.STORED);
        byte[] key = insert.request().redemption().key();
        rig.known.add(key);
        int before = redis.flushes.get();

        refunds.add(insert);
        FakeRedis.Call asked = redis.next();

        assertThat(asked.runs(Scripts.GIVE_BACK)).isTrue();
        assertThat(asked.key(0)).isEqualTo(insert.request().key());
        assertThat(asked.value(0)).isEqualTo(insert.request().attempt());
        rig.settle();
        assertThat(redis.flushes.get() - before).isEqualTo(1);
        assertThat(rig.known.contains(key)).isTrue();
        asked.response().complete(Scripts.TAKEN_AWAY);
        assertEnded(1, 0);
        assertThat(rig.known.contains(key)).isFalse();
    }

    @Test
    void leavesWhatAnotherStored() {
        PendingInsert insert = call(StoreReply.STORED);
        rig.known.add(insert.request().redemption().key());

        refunds.add(insert);
        redis.next().response().complete(-1L);

        assertEnded(0, 1);
        assertThat(rig.known.contains(insert.request().redemption().key())).isTrue();
    }

    @Test
    void looksAgainForWhatMayBeStoredLateAndNotForWhatWasStored() {
        refunds.add(call(StoreReply.STORED));
        redis.next().response().complete(Scripts.NOT_THERE);
        assertEnded(0, 1);

        refunds.add(call(StoreReply.LOST));
        redis.next().response().complete(Scripts.NOT_THERE);
        redis.next().response().complete(Scripts.NOT_THERE);
        assertEnded(0, 1);
        redis.next().response().complete(Scripts.TAKEN_AWAY);
        assertEnded(1, 1);
    }

    @Test
    void asksAgainWhenItGotNoResponseOrCouldNotAsk() {
        refunds.add(call(StoreReply.STORED));
        FakeRedis.Call asked = redis.next();
        redis.takes(1);
        asked.response().completeExceptionally(new RedisException("gone"));
        FakeRedis.Call again = redis.next();
        again.response().completeExceptionally(new RedisException("gone"));
        rig.settle();
        assertEnded(0, 0);

        redis.takes(Integer.MAX_VALUE);

        redis.next().response().complete(Scripts.TAKEN_AWAY);
        assertEnded(1, 0);
    }

    @Test
    void asksOnlyAServerThatIsGood() {
        redis.open = false;
        topology.tend(Runnable::run, System.nanoTime());
        refunds.add(call(StoreReply.STORED));
        rig.settle();
        assertThat(redis.waiting()).isZero();
        assertEnded(0, 0);

        connect(System.nanoTime() + TimeUnit.SECONDS.toNanos(1));

        redis.next().response().complete(Scripts.TAKEN_AWAY);
        assertEnded(1, 0);
    }

    @Test
    void hasABound() {
        for (int i = 0; i < MAX; i++) {
            refunds.add(call(StoreReply.STORED));
        }
        rig.settle();
        assertEnded(0, 0);

        refunds.add(call(StoreReply.STORED));

        assertEnded(0, 1);
        redis.next().response().complete(Scripts.TAKEN_AWAY);
        rig.settle();
        refunds.add(call(StoreReply.STORED));
        assertEnded(1, 1);
    }

    private PendingInsert call(StoreReply reply) {
        PendingInsert insert = rig.insert(rig.server());
        if (reply == StoreReply.STORED) {
            insert.came(Scripts.STORED, null, CompletableFuture.completedFuture(true));
        } else {
            insert.came(null, new RedisException("gone"), CompletableFuture.completedFuture(true));
        }
        return insert;
    }

    private void assertEnded(int givenBack, int not) {
        rig.settle();
        assertThat(rig.events("given-back")).isEqualTo(givenBack);
        assertThat(rig.events("not-given-back")).isEqualTo(not);
    }
}
