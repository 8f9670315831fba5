package dev.postern.auth.spend.redis;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.auth.spend.SpendResult;
import dev.postern.auth.spend.store.InFlightLimit;
import io.lettuce.core.RedisException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class RedisServerTest {

    private static final long RETRY = TimeUnit.MILLISECONDS.toNanos(250);
    private static final long PATIENCE = TimeUnit.SECONDS.toNanos(3);
    private static final List<Integer> SHARDS = List.of(0, 5);

    private final RedisRig rig = new RedisRig();
    private final RedisServer server = rig.server();
    private final long start = System.nanoTime();

    @AfterEach
    void close() {
        rig.close();
    }

    @Test
    void asksNothingBeforeTheServerWasLookedAt() {
        rig.spend(server);
        assertThat(response()).isEqualTo(SpendResult.UNKNOWN);
        server.tend(SHARDS, start);
        FakeRedis redis = rig.connect();
        assertThat(redis.autoFlush).isFalse();

        rig.spend(server);
        rig.channel.runPendingTasks();

        assertThat(response()).isEqualTo(SpendResult.UNKNOWN);
        assertThat(redis.waiting()).isZero();
        assertThat(server.inFlight()).isZero();
        assertThat(server.ready()).isFalse();
    }

    @Test
    void sendsWhatAPassSpendsInOneFlush() {
        FakeRedis redis = rig.ready(server, SHARDS, 0);
        int before = redis.flushes.get();
        for (int i = 0; i < 3; i++) {
            rig.spend(server);
        }
        assertThat(server.inFlight()).isEqualTo(3);
        rig.channel.runPendingTasks();
        assertThat(redis.waiting()).as("no replicas, no WAIT").isEqualTo(3);
        assertThat(redis.flushes.get() - before).isEqualTo(1);

        for (int i = 0; i < 3; i++) {
            FakeRedis.Call call = redis.next();
            assertThat(call.runs(Scripts.SPEND)).isTrue();
            assertThat(new String(call.key(0), ISO_8859_1)).startsWith("test:1:{0}:");
            assertThat(call.key(1)).isEqualTo(FakeRedis.ascii("test:1:{0}:epoch"));
            assertThat(call.value(0)).hasSize(16);
            assertThat(call.value(1)).isEqualTo(RedisRig.MARK);
            assertThat(call.value(2)).isEqualTo(FakeRedis.ascii("1000"));
            call.response().complete(i == 1 ? Scripts.SPENT : Scripts.STORED);
        }
        rig.channel.runPendingTasks();

        assertThat(rig.responses)
                .extracting(one -> one.result())
                .containsExactly(SpendResult.FRESH, SpendResult.SPENT, SpendResult.FRESH);
        assertThat(server.inFlight()).isZero();
    }

    @Test
    void waitsForAReplicaOnceForAllOfAPassAndAfterThem() {
        for (long reached : new long[] {0, 1, 2}) {
            RedisServer other = rig.server();
            FakeRedis redis = rig.ready(other, SHARDS, 2);
            rig.spend(other);
            rig.spend(other);
            rig.channel.runPendingTasks();
            redis.next("evalsha").response().complete(Scripts.STORED);
            redis.next("evalsha").response().complete(Scripts.STORED);
            rig.channel.runPendingTasks();
            assertThat(rig.responses).isEmpty();

            FakeRedis.Call wait = redis.next("waitForReplication");
            assertThat(wait.arguments()).containsExactly(1, 50L);
            wait.response().complete(reached);
            rig.channel.runPendingTasks();

            SpendResult expected = reached == 0 ? SpendResult.UNKNOWN : SpendResult.FRESH;
            assertThat(rig.responses).extracting(one -> one.result()).containsExactly(expected, expected);
            rig.responses.clear();
        }
    }

    @Test
    void isUnknownWhenNobodySaysWhetherAReplicaHasIt() {
        FakeRedis redis = rig.ready(server, SHARDS, 1);
        rig.spend(server);
        rig.channel.runPendingTasks();
        redis.next("evalsha").response().complete(Scripts.STORED);
        redis.next("waitForReplication").response().completeExceptionally(new RedisException("gone"));
        rig.channel.runPendingTasks();

        assertThat(response()).isEqualTo(SpendResult.UNKNOWN);
    }

    @Test
    void tellsThoseThatTheConnectionDidNotTake() {
        FakeRedis redis = rig.ready(server, SHARDS, 0);
        redis.takes(1);
        for (int i = 0; i < 3; i++) {
            rig.spend(server);
        }
        rig.channel.runPendingTasks();
        assertThat(rig.responses)
                .hasSize(2)
                .allSatisfy(one -> assertThat(one.result()).isEqualTo(SpendResult.UNKNOWN));
        assertThat(server.inFlight()).isEqualTo(1);

        redis.next("evalsha").response().complete(Scripts.STORED);
        rig.channel.runPendingTasks();

        assertThat(rig.responses).hasSize(3);
        assertThat(rig.responses.get(2).result()).as("nobody waited for copies").isEqualTo(SpendResult.UNKNOWN);
        assertThat(server.inFlight()).isZero();
    }

    @Test
    void hasAPlaceForSoManyAndForAnotherWhenOneIsSettled() {
        FakeRedis redis = rig.ready(server, SHARDS, 0);
        for (int i = 0; i < InFlightLimit.MAX_IN_FLIGHT; i++) {
            rig.spend(server);
        }
        assertThat(rig.responses).isEmpty();

        rig.spend(server);

        assertThat(rig.responses).hasSize(1);
        assertThat(rig.responses.get(0).busy()).isTrue();
        assertThat(response()).isEqualTo(SpendResult.UNKNOWN);
        assertThat(server.inFlight()).isEqualTo(InFlightLimit.MAX_IN_FLIGHT);
        redis.next("evalsha").response().complete(Scripts.STORED);
        rig.channel.runPendingTasks();
        assertThat(response()).isEqualTo(SpendResult.FRESH);
        rig.spend(server);
        assertThat(rig.responses).isEmpty();
    }

    @Test
    void takesNoPlaceWhileTheBreakerIsOpen() {
        rig.ready(server, SHARDS, 0);
        for (int i = 0; i < 64; i++) {
            server.timedOut();
        }

        rig.spend(server);

        assertThat(rig.responses.get(0).busy()).isFalse();
        assertThat(response()).isEqualTo(SpendResult.UNKNOWN);
        assertThat(server.inFlight()).isZero();
        assertThat(server.state()).isEqualTo("verified, 0 replicas, breaker open");
    }

    @Test
    void closesTheBreakerWhenTheServerIsFoundGood() {
        for (int i = 0; i < 64; i++) {
            server.timedOut();
        }
        assertThat(server.state()).isEqualTo("not connected, breaker open");

        rig.ready(server, SHARDS, 0);

        assertThat(server.state()).isEqualTo("verified, 0 replicas, breaker closed");
    }

    @Test
    void respondsByTheDeadlineWhenTheServerDoesNot() {
        rig.ready(server, SHARDS, 0);

        server.spend(rig.request(), rig.channel.eventLoop(), System.nanoTime(), rig.responses::add);
        rig.channel.runScheduledPendingTasks();
        assertThat(rig.responses).as("what has arrived is read first").isEmpty();
        rig.channel.advanceTimeBy(1, TimeUnit.SECONDS);
        rig.channel.runScheduledPendingTasks();

        assertThat(response()).isEqualTo(SpendResult.UNKNOWN);
    }

    @Test
    void looksAgainSoonWhenASpendWasRefused() {
        FakeRedis redis = rig.ready(server, SHARDS, 0);
        long soon = System.nanoTime() + RETRY;
        server.tend(SHARDS, soon);
        assertThat(redis.waiting()).isZero();
        rig.spend(server);
        rig.channel.runPendingTasks();
        redis.next("evalsha").response().complete(Scripts.OTHER_MARK);
        rig.channel.runPendingTasks();
        assertThat(response()).isEqualTo(SpendResult.UNKNOWN);

        server.tend(SHARDS, soon);

        assertThat(redis.next("info")).isNotNull();
    }

    @Test
    void triesAgainToConnectAfterAWhile() {
        server.tend(SHARDS, start + RETRY);
        server.tend(SHARDS, start + 10 * RETRY);
        assertThat(rig.asked).as("one at a time").hasSize(1);

        rig.connecting.get(0).completeExceptionally(new RedisException("refused"));
        rig.settle();
        server.tend(SHARDS, start + 2 * RETRY - 1);
        assertThat(rig.asked).hasSize(1);
        server.tend(SHARDS, start + 2 * RETRY);
        assertThat(rig.asked).hasSize(2);
        rig.connect();
        assertThat(rig.events("connected")).isEqualTo(1);
        assertThat(server.connection()).isNotNull();
    }

    @Test
    void connectsAnewWhenTheConnectionWasLost() {
        FakeRedis redis = rig.ready(server, SHARDS, 0);
        redis.open = false;

        server.tend(SHARDS, System.nanoTime() + RETRY);
        assertThat(server.ready()).isFalse();
        assertThat(redis.closed).isTrue();
        assertThat(rig.events("connection-lost")).isEqualTo(1);
        server.tend(SHARDS, System.nanoTime() + RETRY);

        assertThat(rig.asked).hasSize(2);
    }

    @Test
    void connectsAnewWhenTheServerDoesNotRespond() {
        FakeRedis redis = rig.ready(server, SHARDS, 0);
        long now = System.nanoTime();
        server.tend(SHARDS, now);
        assertThat(redis.closed).isFalse();

        server.tend(SHARDS, now + PATIENCE);

        assertThat(redis.closed).isTrue();
        assertThat(rig.events("recreated")).isEqualTo(1);
        assertThat(server.state()).startsWith("not connected");
    }

    @Test
    void closesWhatConnectsTooLate() {
        server.tend(SHARDS, start + RETRY);
        server.close();

        assertThat(rig.connect().closed).isTrue();

        RedisServer other = rig.server();
        FakeRedis redis = rig.ready(other, SHARDS, 0);
        other.close();
        assertThat(redis.closed).isTrue();
        assertThat(other.ready()).isFalse();
    }

    private SpendResult response() {
        assertThat(rig.responses).hasSize(1);
        return rig.responses.remove(0).result();
    }
}
