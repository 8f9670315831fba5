package dev.postern.auth.spend.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.auth.spend.LedgerHealth;
import dev.postern.auth.spend.LedgerSettings.WhenForgotten;
import dev.postern.auth.spend.Redemption;
import dev.postern.auth.spend.SpendResult;
import dev.postern.auth.spend.store.EpochState;
import dev.postern.auth.spend.store.StoreResources;
import dev.postern.core.redis.RedisTarget;
import dev.postern.core.testing.ManualClock;
import io.lettuce.core.ClientOptions;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisException;
import io.lettuce.core.RedisURI;
import io.lettuce.core.SslOptions;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests the commands of the ledger, over a connection without a server. */
class RedisLedgerTest {

    private final RedisFixture fixture = new RedisFixture();
    private final ManualClock clock = new ManualClock(Instant.parse("2026-11-20T10:00:00Z"));
    private final List<String> received = new ArrayList<>();
    private final RedisLedger ledger = new RedisLedger(
            RedisFixture.ONE, fixture.resources, fixture.connector, fixture.keys, clock, () -> received.add("closed"));
    private FakeRedis redis;

    @BeforeEach
    void connect() {
        ledger.maintain();
        redis = fixture.connect();
        ledger.maintain();
        fixture.show(redis, SpendKeys.SHARDS, FakeRedis.MASTER, RedisFixture.MARKER);
    }

    @AfterEach
    void close() {
        fixture.close();
    }

    @Test
    void sendsKeyMarkerAttemptAndExpiry() {
        List<String> attempts = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            Redemption token = token(Duration.ofMinutes(10));
            spend(token);

            FakeRedis.Call call = redis.next();
            assertThat(call.runs(Scripts.SPEND)).isTrue();
            assertThat(call.key(0)).isEqualTo(fixture.keys.token(token.key()));
            assertThat(call.key(1)).isEqualTo(fixture.keys.marker(SpendKeys.shard(token.key())));
            attempts.add(HexFormat.of().formatHex(call.value(0)));
            assertThat(call.value(1)).isEqualTo(RedisFixture.MARKER);
            assertThat(call.value(2)).isEqualTo(FakeRedis.ascii("602000"));
            call.response().complete(Scripts.STORED);
            assertThat(response()).isEqualTo(SpendResult.FRESH);
        }
        assertThat(attempts).doesNotHaveDuplicates().allMatch(one -> one.length() == 32);
    }

    @Test
    void returnsSpentAtTheEndOfATokenWithoutARequest() {
        spend(token(Duration.ZERO));
        assertThat(response()).isEqualTo(SpendResult.SPENT);
        assertThat(redis.waiting()).isZero();

        spend(token(Duration.ofMillis(1)));
        assertThat(fixture.responses).isEmpty();
        assertThat(redis.waiting()).isEqualTo(1);
    }

    @Test
    void returnsSpentForAKnownSpentTokenWithoutARequest() {
        Redemption token = token(Duration.ofMinutes(10));
        assertThat(ledger.knownSpent(token.key())).isFalse();
        spend(token);
        redis.next().response().complete(Scripts.SPENT);
        assertThat(response()).isEqualTo(SpendResult.SPENT);

        assertThat(ledger.knownSpent(token.key())).isTrue();
        spend(token);

        assertThat(response()).isEqualTo(SpendResult.SPENT);
        assertThat(redis.waiting()).isZero();
    }

    @Test
    void refusesATokenOfAnotherEpochAndUsesTheCurrentOneForATokenWithout() {
        Redemption other =
                new Redemption(token(Duration.ZERO).key(), clock.instant().plusSeconds(9), new byte[] {1});
        spend(other);
        redis.next().response().complete(Scripts.STORED);
        assertThat(response()).isEqualTo(SpendResult.UNKNOWN);

        Redemption none =
                new Redemption(token(Duration.ZERO).key(), clock.instant().plusSeconds(9));
        spend(none);
        redis.next().response().complete(Scripts.STORED);
        assertThat(response()).isEqualTo(SpendResult.FRESH);
        ledger.epoch()[0]++;
        assertThat(ledger.epoch()).as("the caller owns the array").isEqualTo(fixture.state.epoch());
    }

    @Test
    void sendsNothingBeforeTheMarkerIsKnown() {
        try (RedisFixture unknown = new RedisFixture();
                RedisLedger early = new RedisLedger(
                        RedisFixture.ONE, unknown.resources, unknown.connector, unknown.keys, clock, () -> {})) {
            early.spend(token(Duration.ofMinutes(1)), unknown.channel.eventLoop(), unknown.responses::add);

            assertThat(unknown.responses).hasSize(1);
            assertThat(unknown.responses.get(0).result()).isEqualTo(SpendResult.UNKNOWN);
        }
    }

    @Test
    void refundsOnlySpendsThatMayBeStored() {
        List<Boolean> looked = new ArrayList<>();
        List<Object> responses = List.of(
                Scripts.STORED,
                new RedisException("gone"),
                Scripts.SPENT,
                Scripts.OTHER_MARKER,
                new RedisCommandExecutionException("NOSCRIPT"));
        for (Object each : responses) {
            spend(token(Duration.ofMinutes(10)));
            if (each instanceof RedisException failure) {
                redis.next().response().completeExceptionally(failure);
            } else {
                redis.next().response().complete(each);
            }
            fixture.channel.runPendingTasks();
            ledger.refund(fixture.responses.remove(0));
            fixture.settle();
            looked.add(redis.waiting() == 1);
            while (redis.waiting() > 0) {
                redis.next().response().complete(Scripts.REFUNDED);
            }
        }
        assertThat(looked).containsExactly(true, true, false, false, false);

        PendingInsert unanswered = fixture.insert(fixture.server());
        unanswered.expire();
        ledger.refund(unanswered);
        assertThat(redis.next().runs(Scripts.REFUND)).as("may be stored late").isTrue();
    }

    @Test
    void reportsItsHealth() {
        assertThat(ledger.health())
                .isEqualTo(new LedgerHealth(true, Map.of("one:1", "verified, 0 replicas, breaker closed")));
        spend(token(Duration.ofMinutes(10)));
        assertThat(fixture.registry.get("postern.ledger.in.flight").gauge().value())
                .isEqualTo(1);

        redis.open = false;
        ledger.maintain();

        assertThat(ledger.health().healthy()).isFalse();
    }

    @Test
    void reportsWhetherItsServerMayEvictSpends() {
        assertThat(mayEvict()).isZero();

        fixture.ticker.advance(1, TimeUnit.SECONDS);
        ledger.maintain();
        String info = FakeRedis.MASTER.replace("noeviction", "allkeys-lru");
        fixture.show(redis, SpendKeys.SHARDS, info, RedisFixture.MARKER);

        assertThat(mayEvict()).isEqualTo(1);
    }

    private double mayEvict() {
        return fixture.registry
                .get("postern.store.may.evict")
                .tag("store", "ledger")
                .gauge()
                .value();
    }

    @Test
    void waitsForAServerUntilTheDeadlineOfASpend() {
        fixture.ticker.advance(1, TimeUnit.HOURS);
        spend(token(Duration.ofMinutes(10)));
        for (int millis = 0; millis < RedisFixture.DEADLINE.toMillis(); millis++) {
            fixture.ticker.advance(1, TimeUnit.MILLISECONDS);
            fixture.channel.runScheduledPendingTasks();
            assertThat(fixture.responses)
                    .as("after %d ms, and a last look for replies", millis)
                    .isEmpty();
        }

        fixture.ticker.advance(1, TimeUnit.MILLISECONDS);
        fixture.channel.runScheduledPendingTasks();

        assertThat(response()).isEqualTo(SpendResult.UNKNOWN);
    }

    @Test
    void limitsTheTimeForAConnectionAndItsHandshake() {
        assertThat(timeout("redis://one:1")).isEqualTo(Duration.ofSeconds(1));
        assertThat(timeout("rediss://one:1")).isEqualTo(RedisTarget.HANDSHAKE.plusSeconds(1));
    }

    private Duration timeout(String uri) {
        RedisServer.Address address = new RedisServer.Address("one:1", RedisURI.create(uri), false);
        try (RedisFixture other = new RedisFixture();
                RedisLedger opened =
                        new RedisLedger(address, other.resources, other.connector, other.keys, clock, () -> {})) {
            opened.maintain();
            return other.requested.get(0).getTimeout();
        }
    }

    @Test
    void doubtsATokenWithAnEarlierEndThanOneThatWasAskedForBeforeTheServerForgot() {
        try (RedisFixture other = new RedisFixture()) {
            StoreResources refusing = new StoreResources(
                    new EpochState(SpendKeys.SHARDS, WhenForgotten.REFUSE, clock),
                    other.spent,
                    other.resources.meters(),
                    other.scheduler,
                    other.resources.deadlines(),
                    RedisFixture.DEADLINE);
            RedisLedger forgetful =
                    new RedisLedger(RedisFixture.ONE, refusing, other.connector, other.keys, clock, () -> {});
            forgetful.maintain();
            FakeRedis server = other.connect();
            forgetful.maintain();
            other.show(server, SpendKeys.SHARDS, FakeRedis.MASTER, RedisFixture.MARKER);
            List<SpendResult> results = new ArrayList<>();
            for (int minutes : new int[] {10, 5, 11}) {
                Redemption token =
                        new Redemption(other.token().key(), clock.instant().plus(Duration.ofMinutes(minutes)));
                forgetful.spend(token, other.channel.eventLoop(), spend -> results.add(spend.result()));
                other.channel.runPendingTasks();
                server.next("evalsha").response().complete(Scripts.STORED);
                other.channel.runPendingTasks();
                if (minutes == 10) {
                    other.ticker.advance(1, TimeUnit.SECONDS);
                    forgetful.maintain();
                    other.show(server, SpendKeys.SHARDS, FakeRedis.MASTER, RedisFixture.OTHER_MARKER);
                }
            }

            assertThat(results).containsExactly(SpendResult.FRESH, SpendResult.UNKNOWN, SpendResult.FRESH);
        }
    }

    @Test
    void neverReconnectsByItself() {
        assertThat(RedisLedger.options(Duration.ofSeconds(1), SslOptions.create())
                        .isAutoReconnect())
                .as("a connection belongs to one run of one server")
                .isFalse();
        assertThat(RedisLedger.options(Duration.ofSeconds(1), SslOptions.create())
                        .getDisconnectedBehavior())
                .isEqualTo(ClientOptions.DisconnectedBehavior.REJECT_COMMANDS);
    }

    @Test
    void closesItsConnections() {
        ledger.close();

        assertThat(redis.closed).isTrue();
        assertThat(received).containsExactly("closed");
    }

    @Test
    void endsItsThreadOnClose() throws Exception {
        CompletableFuture<Thread> worked = new CompletableFuture<>();
        fixture.scheduler.now(() -> worked.complete(Thread.currentThread()));
        Thread thread = worked.get(10, TimeUnit.SECONDS);

        ledger.close();

        thread.join(10_000);
        assertThat(thread.isAlive()).isFalse();
    }

    private Redemption token(Duration lifetime) {
        return new Redemption(fixture.token().key(), clock.instant().plus(lifetime), ledger.epoch());
    }

    private void spend(Redemption token) {
        ledger.spend(token, fixture.channel.eventLoop(), fixture.responses::add);
        fixture.channel.runPendingTasks();
    }

    private SpendResult response() {
        fixture.channel.runPendingTasks();
        assertThat(fixture.responses).hasSize(1);
        return fixture.responses.remove(0).result();
    }
}
