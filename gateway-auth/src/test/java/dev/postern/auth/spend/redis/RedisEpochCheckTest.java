package dev.postern.auth.spend.redis;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.core.redis.RedisConnectionRule;
import dev.postern.core.testing.LogLines;
import io.lettuce.core.RedisException;
import io.lettuce.core.RedisNoScriptException;
import java.net.ConnectException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class RedisEpochCheckTest {

    private static final List<Integer> SHARDS = List.of(0, 5);
    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);
    private static final long SOON = TimeUnit.MILLISECONDS.toNanos(50);

    private final RedisFixture fixture = new RedisFixture();
    private final FakeRedis redis = new FakeRedis();
    private final List<String> received = new ArrayList<>();
    private final RedisConnectionRule rule = new RedisConnectionRule(fixture.ticker.nanoTime());
    private final RedisEpochCheck check = new RedisEpochCheck(
            RedisFixture.ONE, redis.connection, fixture.resources, fixture.keys, rule, (wasAway, nanos) -> {
                if (wasAway) {
                    received.add("verified");
                }
            });
    private long now = fixture.ticker.nanoTime();

    @AfterEach
    void close() {
        fixture.close();
    }

    @Test
    void readsOrAddsTheMarkerOfEachShard() {
        check.maintain(SHARDS, now);
        assertThat(check.verified()).isFalse();
        redis.next("info").response().complete(FakeRedis.info("0a1b", "master", 3));
        fixture.settle();
        Scripts.ALL.forEach(
                script -> assertThat(redis.next("scriptLoad").arguments()).containsExactly(script.text()));
        List<String> offered = new ArrayList<>();
        for (int shard : SHARDS) {
            FakeRedis.Call call = redis.next();
            assertThat(call.runs(Scripts.MARKER)).isTrue();
            assertThat(call.key(0)).isEqualTo(FakeRedis.ascii("test:1:{" + shard + "}:epoch"));
            offered.add(new String(call.value(0), US_ASCII));
            assertThat(call.value(1)).isEqualTo(FakeRedis.ascii("0a1b"));
            assertThat(call.value(2)).isEqualTo(FakeRedis.ascii("7"));
            call.response().complete(RedisFixture.MARKER);
        }
        assertThat(offered).doesNotHaveDuplicates().allMatch(marker -> marker.matches("[0-9a-f]{32}"));
        fixture.settle();

        assertThat(check.verified()).isTrue();
        assertThat(check.replicas()).isEqualTo(3);
        assertThat(check.state()).isEqualTo("verified, 3 replicas");
        assertThat(fixture.state.marker(0)).isEqualTo(RedisFixture.MARKER);
        assertThat(fixture.state.marker(5)).isEqualTo(RedisFixture.MARKER);
        assertThat(fixture.state.marker(1)).isEmpty();
        assertThat(received).containsExactly("verified");
        assertThat(redis.flushes.get()).isEqualTo(2);
    }

    @Test
    void sendsTheTextOfAScriptThatTheServerHasForgotten() {
        check.maintain(SHARDS, now);
        redis.next("info").response().complete(FakeRedis.MASTER);
        fixture.settle();
        Scripts.ALL.forEach(script -> redis.next("scriptLoad"));
        redis.next("evalsha").response().completeExceptionally(new RedisNoScriptException("NOSCRIPT"));
        redis.next("evalsha").response().complete(RedisFixture.MARKER);
        FakeRedis.Call text = redis.next();
        assertThat(text.runsText(Scripts.MARKER)).isTrue();
        assertThat(check.verified()).isFalse();

        text.response().complete(RedisFixture.MARKER);
        fixture.settle();

        assertThat(check.verified()).isTrue();
    }

    @Test
    void checksEverySecondAndSoonerInDoubt() {
        verify();
        check.maintain(SHARDS, now + SECOND - 1);
        assertThat(redis.waiting()).isZero();
        check.maintain(SHARDS, now + SECOND);
        assertThat(redis.waiting()).isEqualTo(1);
        check.maintain(SHARDS, now + 5 * SECOND);
        assertThat(redis.waiting()).as("one check at a time").isEqualTo(1);
        fixture.show(redis, 2, FakeRedis.MASTER, RedisFixture.MARKER);

        check.doubt();
        check.maintain(SHARDS, now + SECOND + SOON - 1);
        assertThat(redis.waiting()).isZero();
        check.maintain(SHARDS, now + SECOND + SOON);
        assertThat(redis.waiting()).isEqualTo(1);
        fixture.show(redis, 2, FakeRedis.MASTER, RedisFixture.MARKER);
        check.maintain(SHARDS, now + SECOND + 2 * SOON);
        assertThat(redis.waiting()).as("no doubt any more").isZero();
        assertThat(received).as("it was valid all the time").hasSize(1);
    }

    @Test
    void detectsAnotherMarkerOfAnyShard() {
        verify();
        byte[] epoch = fixture.state.epoch();
        check.maintain(SHARDS, now + SECOND);
        redis.next("info").response().complete(FakeRedis.MASTER);
        fixture.settle();
        Scripts.ALL.forEach(script -> redis.next("scriptLoad"));
        redis.next("evalsha").response().complete(RedisFixture.MARKER);
        redis.next("evalsha").response().complete(RedisFixture.OTHER_MARKER);
        fixture.settle();

        assertThat(fixture.events("memory-lost")).isEqualTo(1);
        assertThat(fixture.state.epoch()).isNotEqualTo(epoch);
        assertThat(fixture.state.marker(5)).isEqualTo(RedisFixture.OTHER_MARKER);
    }

    @Test
    void doesNotTrustAReplicaUntilItIsAMaster() {
        verify();
        check.maintain(SHARDS, now + SECOND);
        redis.next("info").response().complete(FakeRedis.info("0a1b", "slave", 0));
        fixture.settle();

        assertThat(check.verified()).isFalse();
        assertThat(check.state()).isEqualTo("not usable: a replica (expected: a master)");
        assertThat(redis.waiting()).as("its markers are not read").isZero();
        check.maintain(SHARDS, now + 2 * SECOND);
        fixture.show(redis, 2, FakeRedis.MASTER, RedisFixture.MARKER);
        assertThat(check.verified()).isTrue();
        assertThat(received).hasSize(2);
    }

    @Test
    void doesNotTrustAServerWithInvalidResponses() {
        verify();
        int step = 1;
        for (Object info : new Object[] {"hello", new RedisException("gone")}) {
            check.maintain(SHARDS, now + SECOND * step++);
            if (info instanceof RedisException failure) {
                redis.next("info").response().completeExceptionally(failure);
            } else {
                redis.next("info").response().complete(info);
            }
            fixture.settle();
            assertThat(check.verified()).isFalse();
            assertThat(check.state()).startsWith("not usable: ");
            check.maintain(SHARDS, now + SECOND * step++);
            fixture.show(redis, 2, FakeRedis.MASTER, RedisFixture.MARKER);
            assertThat(check.verified()).isTrue();
        }
        check.maintain(SHARDS, now + SECOND * step);
        redis.next("info").response().complete(FakeRedis.MASTER);
        fixture.settle();
        Scripts.ALL.forEach(script -> redis.next("scriptLoad"));
        redis.next("evalsha").response().complete(RedisFixture.MARKER);
        redis.next("evalsha").response().completeExceptionally(new RedisException("MOVED 1 other:1"));
        fixture.settle();
        assertThat(check.verified()).isFalse();
        assertThat(check.state()).startsWith("not usable: no epoch marker: ");
    }

    @Test
    void doesNotTrustAConnectionThatAcceptsNoCommands() {
        verify();
        redis.accept(0);
        check.maintain(SHARDS, now + SECOND);
        assertThat(check.verified()).isFalse();
        assertThat(check.state()).isEqualTo("not usable: takes no commands");

        redis.accept(2);
        check.maintain(SHARDS, now + 2 * SECOND);
        redis.next("info").response().complete(FakeRedis.MASTER);
        fixture.settle();
        assertThat(check.verified()).isFalse();
        assertThat(check.state()).isEqualTo("not usable: takes no commands");

        redis.next("scriptLoad");
        redis.accept(Integer.MAX_VALUE);
        check.maintain(SHARDS, now + 3 * SECOND);
        fixture.show(redis, 2, FakeRedis.MASTER, RedisFixture.MARKER);
        assertThat(check.verified()).isTrue();
    }

    @Test
    void recordsTheTimeOfTheLastResponse() {
        long respondedBefore = check.respondedAt();
        check.maintain(SHARDS, now);
        redis.next("info").response().completeExceptionally(new RedisException("gone"));
        fixture.settle();
        assertThat(check.respondedAt()).isEqualTo(respondedBefore);

        now += SECOND;
        fixture.ticker.advance(1, TimeUnit.SECONDS);
        verify();

        assertThat(check.respondedAt()).isEqualTo(respondedBefore + SECOND);
    }

    private void verify() {
        check.maintain(SHARDS, now);
        fixture.show(redis, 2, FakeRedis.MASTER, RedisFixture.MARKER);
    }

    @Test
    void namesWhyThereIsNoInfo() {
        check.maintain(SHARDS, now);
        redis.next("info").response().completeExceptionally(new ConnectException("Connection refused"));
        fixture.settle();
        assertThat(check.state()).isEqualTo("not usable: no INFO: connection refused");

        check.maintain(SHARDS, now + SECOND);
        redis.next("info").response().complete(null);
        fixture.settle();
        assertThat(check.state()).isEqualTo("not usable: no INFO: empty");
    }

    @Test
    void countsNoLossWithTheFirstMarker() {
        verify();

        assertThat(fixture.events("memory-lost")).isZero();
    }

    @Test
    void measuresTheTimeOfACheck() {
        List<Long> took = new ArrayList<>();
        RedisEpochCheck measured = new RedisEpochCheck(
                RedisFixture.ONE,
                redis.connection,
                fixture.resources,
                fixture.keys,
                rule,
                (wasAway, nanos) -> took.add(nanos));

        measured.maintain(SHARDS, fixture.scheduler.nanos());
        fixture.show(redis, 2, FakeRedis.MASTER, RedisFixture.MARKER);

        assertThat(took).hasSize(1);
        assertThat(took.get(0)).isBetween(0L, fixture.scheduler.nanos());

        fixture.ticker.advance(1, TimeUnit.SECONDS);
        measured.maintain(SHARDS, fixture.scheduler.nanos());
        fixture.ticker.advance(20, TimeUnit.MILLISECONDS);
        fixture.show(redis, 2, FakeRedis.MASTER, RedisFixture.MARKER);

        assertThat(took.get(1)).isEqualTo(TimeUnit.MILLISECONDS.toNanos(20));
    }

    @Test
    void replacesAConnectionWithoutAGoodCheckForThreeSeconds() {
        assertThat(rule.replace(now + 3 * SECOND - 1)).isFalse();
        assertThat(rule.replace(now + 3 * SECOND))
                .as("not even the first check got a reply")
                .isTrue();

        now += 2 * SECOND;
        fixture.ticker.advance(2, TimeUnit.SECONDS);
        verify();

        assertThat(rule.replace(now + 3 * SECOND - 1)).isFalse();
        assertThat(rule.replace(now + 3 * SECOND)).isTrue();
    }

    @Test
    void replacesAConnectionToAReplicaAndSaysWhy() {
        check.maintain(SHARDS, now);
        redis.next("info").response().complete(FakeRedis.info("0a1b", "slave", 0));
        fixture.settle();

        assertThat(check.trouble()).isEqualTo("a replica (expected: a master)");
        assertThat(rule.replace(now + SECOND)).isTrue();
    }

    @Test
    void warnsOnceOfAServerThatMayEvictSpends() {
        String policy = "maxmemory-policy: allkeys-lru (expected: noeviction), evicted keys: 7";
        try (LogLines log = new LogLines(RedisEpochCheck.class)) {
            verify();
            assertThat(log.lines()).isEmpty();

            for (int step = 1; step <= 2; step++) {
                check.maintain(SHARDS, now + step * SECOND);
                String info = FakeRedis.MASTER.replace("noeviction", "allkeys-lru");
                fixture.show(redis, 2, info, RedisFixture.MARKER);
                assertThat(check.mayForget()).isTrue();
                assertThat(log.lines())
                        .containsExactly("Redis one:1: " + policy
                                + "; each eviction changes the challenges, and spends get 503 meanwhile");
            }
        }
    }
}
