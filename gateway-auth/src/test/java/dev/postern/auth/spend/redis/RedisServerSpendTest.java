package dev.postern.auth.spend.redis;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.auth.spend.SpendLatency;
import dev.postern.auth.spend.SpendResult;
import dev.postern.auth.spend.store.InFlightLimit;
import dev.postern.auth.spend.store.StoreReply;
import io.lettuce.core.RedisException;
import io.lettuce.core.RedisNoScriptException;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests the commands of a spend, and what their replies mean. */
class RedisServerSpendTest {

    private static final long RETRY = TimeUnit.MILLISECONDS.toNanos(250);
    private static final List<Integer> SHARDS = List.of(0, 5);

    private final RedisFixture fixture = new RedisFixture();
    private final RedisServer server = fixture.server();
    private final long start = fixture.ticker.nanoTime();

    @AfterEach
    void close() {
        fixture.close();
    }

    @Test
    void sendsNothingBeforeTheServerWasChecked() {
        fixture.spend(server);
        assertThat(fixture.response()).isEqualTo(SpendResult.UNKNOWN);
        server.maintain(SHARDS, start);
        FakeRedis redis = fixture.connect();
        assertThat(redis.autoFlush).isFalse();

        fixture.spend(server);
        fixture.channel.runPendingTasks();

        assertThat(fixture.response()).isEqualTo(SpendResult.UNKNOWN);
        assertThat(redis.waiting()).isZero();
        assertThat(server.inFlight()).isZero();
        assertThat(server.ready()).isFalse();
    }

    @Test
    void sendsTheSpendsOfOneLoopIterationInOneFlush() {
        FakeRedis redis = fixture.ready(server, SHARDS, 0);
        int flushesBefore = redis.flushes.get();
        for (int i = 0; i < 3; i++) {
            fixture.spend(server);
        }
        assertThat(server.inFlight()).isEqualTo(3);
        fixture.channel.runPendingTasks();
        assertThat(redis.waiting()).as("no replicas, no WAIT").isEqualTo(3);
        assertThat(redis.flushes.get() - flushesBefore).isEqualTo(1);

        for (int i = 0; i < 3; i++) {
            FakeRedis.Call call = redis.next();
            assertThat(call.runs(Scripts.SPEND)).isTrue();
            assertThat(new String(call.key(0), ISO_8859_1)).startsWith("test:1:{0}:");
            assertThat(call.key(1)).isEqualTo(FakeRedis.ascii("test:1:{0}:epoch"));
            assertThat(call.value(0)).hasSize(16);
            assertThat(call.value(1)).isEqualTo(RedisFixture.MARKER);
            assertThat(call.value(2)).isEqualTo(FakeRedis.ascii("1000"));
            call.response().complete(i == 1 ? Scripts.SPENT : Scripts.STORED);
        }
        fixture.channel.runPendingTasks();

        assertThat(fixture.responses)
                .extracting(one -> one.result())
                .containsExactly(SpendResult.FRESH, SpendResult.SPENT, SpendResult.FRESH);
        assertThat(server.inFlight()).isZero();
    }

    @Test
    void sendsOneWaitAfterAllSpendsOfALoopIteration() {
        for (long reached : new long[] {0, 1, 2}) {
            RedisServer other = fixture.server();
            FakeRedis redis = fixture.ready(other, SHARDS, 2);
            fixture.spend(other);
            fixture.spend(other);
            fixture.channel.runPendingTasks();
            redis.next("evalsha").response().complete(Scripts.STORED);
            redis.next("evalsha").response().complete(Scripts.STORED);
            fixture.channel.runPendingTasks();
            assertThat(fixture.responses).isEmpty();

            FakeRedis.Call wait = redis.next("waitForReplication");
            assertThat(wait.arguments()).containsExactly(1, 50L);
            wait.response().complete(reached);
            fixture.channel.runPendingTasks();

            SpendResult expected = reached == 0 ? SpendResult.UNKNOWN : SpendResult.FRESH;
            assertThat(fixture.responses).extracting(one -> one.result()).containsExactly(expected, expected);
            fixture.responses.clear();
        }
    }

    @Test
    void sendsTheTextOfAScriptThatTheServerHasForgotten() {
        FakeRedis redis = fixture.ready(server, SHARDS, 0);
        long soon = fixture.ticker.nanoTime() + RETRY;
        server.maintain(SHARDS, soon);
        fixture.spend(server);
        fixture.channel.runPendingTasks();
        FakeRedis.Call named = redis.next("evalsha");
        int flushesBefore = redis.flushes.get();
        named.response().completeExceptionally(new RedisNoScriptException("NOSCRIPT No matching script"));

        FakeRedis.Call text = redis.next();
        assertThat(text.runsText(Scripts.SPEND_CHECKED)).isTrue();
        assertThat(text.key(0)).isEqualTo(named.key(0));
        assertThat(text.key(1)).isEqualTo(named.key(1));
        assertThat(text.value(0)).isEqualTo(named.value(0));
        assertThat(text.value(1)).isEqualTo(named.value(1));
        assertThat(text.value(2)).isEqualTo(named.value(2));
        assertThat(redis.flushes.get() - flushesBefore).isEqualTo(1);
        text.response().complete(Scripts.STORED);
        fixture.channel.runPendingTasks();
        assertThat(fixture.response()).isEqualTo(SpendResult.FRESH);
        assertThat(server.inFlight()).isZero();
        server.maintain(SHARDS, soon);
        assertThat(redis.next("info")).as("an early check loads the scripts").isNotNull();
    }

    @Test
    void acceptsNothingFromAForgetfulServerWithAnotherMarker() {
        FakeRedis redis = fixture.ready(server, SHARDS, 0);
        for (Object reply : new Object[] {Scripts.OTHER_MARKER, new RedisNoScriptException("NOSCRIPT again")}) {
            fixture.spend(server);
            fixture.channel.runPendingTasks();
            redis.next("evalsha").response().completeExceptionally(new RedisNoScriptException("NOSCRIPT"));
            if (reply instanceof RedisException failure) {
                redis.next("eval").response().completeExceptionally(failure);
            } else {
                redis.next("eval").response().complete(reply);
            }
            fixture.channel.runPendingTasks();
            assertThat(fixture.response()).isEqualTo(SpendResult.UNKNOWN);
        }
        assertThat(redis.waiting()).isZero();
        assertThat(server.inFlight()).isZero();
    }

    @Test
    void waitsForTheCopyOfASpendThatItSentTwice() {
        FakeRedis redis = fixture.ready(server, SHARDS, 1);
        fixture.spend(server);
        fixture.channel.runPendingTasks();
        redis.next("evalsha").response().completeExceptionally(new RedisNoScriptException("NOSCRIPT"));
        redis.next("waitForReplication").response().complete(1L);
        redis.next("eval").response().complete(Scripts.STORED);
        fixture.channel.runPendingTasks();
        assertThat(fixture.responses).as("the first WAIT did not cover it").isEmpty();

        redis.next("waitForReplication").response().complete(1L);
        fixture.channel.runPendingTasks();

        assertThat(fixture.response()).isEqualTo(SpendResult.FRESH);
    }

    @Test
    void sendsNoTextAfterTheDeadline() {
        FakeRedis redis = fixture.ready(server, SHARDS, 0);
        PendingInsert insert = fixture.insert(server);
        Objects.requireNonNull(server.connection()).send(List.of(insert));
        insert.expire();
        assertThat(fixture.response()).isEqualTo(SpendResult.UNKNOWN);

        redis.next("evalsha").response().completeExceptionally(new RedisNoScriptException("NOSCRIPT"));

        assertThat(redis.waiting()).isZero();
        assertThat(insert.reply()).isEqualTo(StoreReply.REFUSED);
    }

    @Test
    void completesASpendWhoseTextTheConnectionRefused() {
        FakeRedis redis = fixture.ready(server, SHARDS, 0);
        redis.accept(1);
        fixture.spend(server);
        fixture.channel.runPendingTasks();

        redis.next("evalsha").response().completeExceptionally(new RedisNoScriptException("NOSCRIPT"));
        fixture.channel.runPendingTasks();

        assertThat(fixture.response()).isEqualTo(SpendResult.UNKNOWN);
        assertThat(server.inFlight()).isZero();
    }

    @Test
    void checksForEvictionsWithEachSpendWhereTheyAreAllowed() {
        server.maintain(SHARDS, fixture.ticker.nanoTime());
        FakeRedis redis = fixture.connect();
        server.maintain(SHARDS, fixture.ticker.nanoTime());
        assertThat(server.mayForget()).isFalse();
        String info = FakeRedis.MASTER.replace("noeviction", "allkeys-lru");
        fixture.show(redis, SHARDS.size(), info, RedisFixture.MARKER);

        fixture.spend(server);
        fixture.channel.runPendingTasks();

        assertThat(redis.next().runs(Scripts.SPEND_CHECKED)).isTrue();
        assertThat(server.mayForget()).isTrue();
        assertThat(server.state()).contains("maxmemory-policy: allkeys-lru (expected: noeviction), evicted keys: 7");
    }

    @Test
    void isUnknownWithoutAResponseToWait() {
        FakeRedis redis = fixture.ready(server, SHARDS, 1);
        fixture.spend(server);
        fixture.channel.runPendingTasks();
        redis.next("evalsha").response().complete(Scripts.STORED);
        redis.next("waitForReplication").response().completeExceptionally(new RedisException("gone"));
        fixture.channel.runPendingTasks();

        assertThat(fixture.response()).isEqualTo(SpendResult.UNKNOWN);
    }

    @Test
    void completesSpendsThatTheConnectionRefused() {
        FakeRedis redis = fixture.ready(server, SHARDS, 0);
        redis.accept(1);
        for (int i = 0; i < 3; i++) {
            fixture.spend(server);
        }
        fixture.channel.runPendingTasks();
        assertThat(fixture.responses)
                .hasSize(2)
                .allSatisfy(one -> assertThat(one.result()).isEqualTo(SpendResult.UNKNOWN));
        assertThat(server.inFlight()).isEqualTo(1);

        redis.next("evalsha").response().complete(Scripts.STORED);
        fixture.channel.runPendingTasks();

        assertThat(fixture.responses).hasSize(3);
        assertThat(fixture.responses.get(2).result()).as("no WAIT was sent").isEqualTo(SpendResult.UNKNOWN);
        assertThat(server.inFlight()).isZero();
    }

    @Test
    void limitsSpendsInFlight() {
        FakeRedis redis = fixture.ready(server, SHARDS, 0);
        for (int i = 0; i < InFlightLimit.MAX_IN_FLIGHT; i++) {
            fixture.spend(server);
        }
        assertThat(fixture.responses).isEmpty();

        fixture.spend(server);

        assertThat(fixture.responses).hasSize(1);
        assertThat(fixture.responses.get(0).busy()).isTrue();
        assertThat(fixture.response()).isEqualTo(SpendResult.UNKNOWN);
        assertThat(server.inFlight()).isEqualTo(InFlightLimit.MAX_IN_FLIGHT);
        redis.next("evalsha").response().complete(Scripts.STORED);
        fixture.channel.runPendingTasks();
        assertThat(fixture.response()).isEqualTo(SpendResult.FRESH);
        fixture.spend(server);
        assertThat(fixture.responses).isEmpty();
    }

    @Test
    void respondsAtTheDeadlineWhenTheServerDoesNot() {
        fixture.ready(server, SHARDS, 0);

        server.spend(fixture.request(), fixture.channel.eventLoop(), fixture.ticker.nanoTime(), fixture.responses::add);
        fixture.channel.runScheduledPendingTasks();
        assertThat(fixture.responses).as("received bytes are read first").isEmpty();
        fixture.ticker.advance(1, TimeUnit.SECONDS);
        fixture.channel.runScheduledPendingTasks();

        assertThat(fixture.response()).isEqualTo(SpendResult.UNKNOWN);
    }

    @Test
    void completesSpendsWhenTheConnectionIsClosedBeforeTheyAreSent() {
        FakeRedis redis = fixture.ready(server, SHARDS, 0);
        fixture.spend(server);
        fixture.spend(server);
        server.close();

        fixture.channel.runPendingTasks();

        assertThat(fixture.responses)
                .hasSize(2)
                .allSatisfy(one -> assertThat(one.result()).isEqualTo(SpendResult.UNKNOWN));
        assertThat(server.inFlight()).isZero();
        assertThat(redis.waiting()).isZero();
    }

    @Test
    void measuresTheWriteOfASpend() {
        fixture.ready(server, SHARDS, 0);
        long begin = fixture.ticker.nanoTime();
        PendingInsert insert = fixture.insert(server);
        long hour = TimeUnit.HOURS.toNanos(1);
        assertThat(insert.times(begin, begin + hour)).isEqualTo(SpendLatency.NONE);

        fixture.ticker.advance(1, TimeUnit.MILLISECONDS);
        Objects.requireNonNull(server.connection()).send(List.of(insert));

        SpendLatency written = insert.times(begin, begin + hour);
        assertThat(written.queue()).isPositive().isLessThan(hour);
        assertThat(written.write()).isLessThan(hour - written.queue());
    }
}
