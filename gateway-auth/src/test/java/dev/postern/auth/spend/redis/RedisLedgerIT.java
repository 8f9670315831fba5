package dev.postern.auth.spend.redis;

import static dev.postern.core.testing.RedisClusterExtension.cli;
import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.auth.spend.LedgerSettings;
import dev.postern.auth.spend.PendingSpend;
import dev.postern.auth.spend.Redemption;
import dev.postern.auth.spend.SharedLedgerContract;
import dev.postern.auth.spend.SpendEventLoops;
import dev.postern.auth.spend.SpendLedger;
import dev.postern.auth.spend.SpendResult;
import dev.postern.core.config.RedisSettings;
import dev.postern.core.testing.KeyDefaults;
import dev.postern.core.testing.RedisExtension;
import dev.postern.core.testing.TestRedis;
import io.lettuce.core.RedisClient;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.codec.ByteArrayCodec;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

@Tag("long")
class RedisLedgerIT extends SharedLedgerContract {

    @RegisterExtension
    static final RedisExtension REDIS = new RedisExtension();

    @Override
    protected LedgerSettings settings(Duration deadline) {
        return KeyDefaults.of(LedgerSettings.class, Map.of("store", LedgerSettings.Store.REDIS, "deadline", deadline));
    }

    @Override
    protected RedisSettings redis() {
        return TestRedis.of("redis://" + REDIS.address());
    }

    @Test
    void keepsSpendsUntilTheirEnd() {
        Redemption token = tokens.issuedBy(ledger);
        LOOPS.spend(ledger, token);

        assertThat(millisLeft(token.key()))
                .isBetween(
                        Duration.ofMinutes(9).toMillis(),
                        Duration.ofMinutes(10).plusSeconds(2).toMillis());
    }

    @Test
    void waitsUntilItsDeadline() {
        Redemption token = tokens.issuedBy(ledger);

        redis("client", "pause", "1500");

        assertThat(LOOPS.spend(ledger, token)).isEqualTo(SpendResult.FRESH);
    }

    @Test
    void doesNotCountItsOwnPauseAsSilenceOfTheServer() {
        try (SpendLedger patient = open(Duration.ofSeconds(10))) {
            assertThat(LOOPS.spendDuringPause(patient, tokens))
                    .as(() -> patient.health().toString())
                    .containsOnlyKeys(SpendResult.FRESH);
        }
    }

    @Test
    void setsAnExpiryForTheServer() {
        Redemption token = tokens.next(Duration.ofSeconds(4));
        LOOPS.spend(ledger, token);
        assertThat(millisLeft(token.key())).isPositive();

        Awaitility.await()
                .untilAsserted(() -> assertThat(millisLeft(token.key())).isNegative());
    }

    @Test
    void changesItsEpochWhenTheServerIsFlushed() {
        byte[] oldEpoch = ledger.epoch();
        Redemption old = tokens.issuedBy(ledger);
        assertThat(LOOPS.spend(ledger, old)).isEqualTo(SpendResult.FRESH);
        Redemption another = tokens.issuedBy(ledger);

        redis("flushall");

        // Only the missing marker shows that the server lost its data. A spend detects it, unless the check of each
        // second is faster.
        assertThat(LOOPS.spend(ledger, another)).isEqualTo(SpendResult.UNKNOWN);
        awaitEpochOtherThan(oldEpoch);
        // A check that was running during the flush has read some of the old markers; the next one reads the others.
        Awaitility.await().until(() -> LOOPS.spend(ledger, tokens.issuedBy(ledger)) == SpendResult.FRESH);
        assertThat(LOOPS.spend(ledger, new Redemption(tokens.key(), old.acceptedUntil(), oldEpoch)))
                .isNotEqualTo(SpendResult.FRESH);
    }

    @Test
    void changesItsEpochWhenTheServerEvicts() {
        byte[] oldEpoch = ledger.epoch();
        try {
            // Markers have no expiry, so this policy evicts only tokens.
            redis("config", "set", "maxmemory-policy", "volatile-random");
            redis("config", "set", "maxmemory", "3mb");
            redis(
                    "eval",
                    "for i = 1, 40000 do redis.call('SET', 'filler:' .. i, string.rep('x', 100), 'EX', 1000) end",
                    "0");

            awaitEpochOtherThan(oldEpoch);
        } finally {
            redis("config", "set", "maxmemory", "0");
            redis("config", "set", "maxmemory-policy", "noeviction");
            redis("flushall");
        }
        Awaitility.await().until(() -> LOOPS.spend(ledger, tokens.issuedBy(ledger)) == SpendResult.FRESH);
    }

    @Test
    void isUnknownWhenTheServerIsFull() {
        try {
            redis("config", "set", "maxmemory", "1");
            assertThat(LOOPS.spend(ledger, tokens.issuedBy(ledger))).isEqualTo(SpendResult.UNKNOWN);
        } finally {
            redis("config", "set", "maxmemory", "0");
        }
        Awaitility.await().until(() -> LOOPS.spend(ledger, tokens.issuedBy(ledger)) == SpendResult.FRESH);
    }

    @Test
    void acceptsNothingTwiceWhileTheServerEvicts() {
        List<Redemption> accepted = new ArrayList<>();
        // Another gateway has not seen the tokens, so only the server can know that they are spent.
        try (SpendLedger other = open(Duration.ofSeconds(10))) {
            redis("config", "set", "maxmemory-policy", "allkeys-lru");
            for (SpendLedger gateway : List.of(ledger, other)) {
                Awaitility.await()
                        .until(() -> gateway.health().stores().toString().contains("maxmemory-policy: allkeys-lru"));
            }
            for (int i = 0; i < 200; i++) {
                Redemption token = tokens.issuedBy(ledger);
                if (LOOPS.spend(ledger, token) == SpendResult.FRESH) {
                    accepted.add(token);
                }
            }
            redis("eval", "for i = 1, 40000 do redis.call('SET', 'filler:' .. i, string.rep('x', 100)) end", "0");
            // At once, before the check of each second sees the evictions.
            REDIS.connection().sync().configSet("maxmemory", "3mb");
            List<CompletableFuture<PendingSpend>> replays =
                    accepted.stream().map(token -> LOOPS.begin(other, token)).toList();

            assertThat(replays)
                    .hasSizeGreaterThan(100)
                    .extracting(replay -> SpendEventLoops.await(replay).result())
                    .doesNotContain(SpendResult.FRESH);
        } finally {
            redis("config", "set", "maxmemory", "0");
            redis("config", "set", "maxmemory-policy", "noeviction");
            redis("flushall");
        }
        Awaitility.await().until(() -> LOOPS.spend(ledger, tokens.issuedBy(ledger)) == SpendResult.FRESH);
    }

    @Test
    void refusesAReplica() {
        redis("replicaof", "127.0.0.1", "1");
        try {
            Awaitility.await()
                    .untilAsserted(() ->
                            assertThat(ledger.health().stores().toString()).contains("a replica (expected: a master)"));
            assertThat(ledger.health().healthy()).isFalse();
            assertThat(LOOPS.spend(ledger, tokens.issuedBy(ledger))).isEqualTo(SpendResult.UNKNOWN);
        } finally {
            redis("replicaof", "no", "one");
        }
        Awaitility.await().until(() -> ledger.health().healthy());
    }

    @Test
    void startsWithoutTheServerAndConnectsLater() {
        REDIS.server().kill();
        try (SpendLedger early = open("test", Duration.ofSeconds(10), new SimpleMeterRegistry())) {
            assertThat(early.health().healthy()).isFalse();
            assertThat(LOOPS.spend(early, tokens.next())).isEqualTo(SpendResult.UNKNOWN);

            REDIS.server().start();

            Awaitility.await().until(() -> early.health().healthy());
            assertThat(LOOPS.spend(early, tokens.issuedBy(early))).isEqualTo(SpendResult.FRESH);
        }
    }

    private void awaitEpochOtherThan(byte[] oldEpoch) {
        Awaitility.await().untilAsserted(() -> assertThat(ledger.epoch()).isNotEqualTo(oldEpoch));
    }

    /** Returns a negative number when the server does not have the token. */
    private static long millisLeft(byte[] token) {
        try (RedisClient client = RedisClient.create("redis://" + REDIS.address());
                StatefulRedisConnection<byte[], byte[]> connection = client.connect(ByteArrayCodec.INSTANCE)) {
            return connection.sync().pttl(new SpendKeys("test").token(token));
        }
    }

    private static String redis(String... words) {
        String[] all = new String[words.length + 2];
        all[0] = "-p";
        all[1] = Integer.toString(REDIS.server().port());
        System.arraycopy(words, 0, all, 2, words.length);
        return cli(all);
    }
}
