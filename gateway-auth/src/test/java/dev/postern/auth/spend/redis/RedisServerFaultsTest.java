package dev.postern.auth.spend.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.auth.spend.PendingSpend;
import dev.postern.auth.spend.SpendResult;
import dev.postern.core.testing.LogLines;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisNoScriptException;
import io.lettuce.core.RedisURI;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests what follows when the server refuses a command, or when no connection can be asked for. */
class RedisServerFaultsTest {

    private static final List<Integer> SHARDS = List.of(0, 5);
    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);
    private static final long RETRY = TimeUnit.MILLISECONDS.toNanos(250);

    private static final String FULL = "OOM command not allowed when used memory > 'maxmemory'.";
    private static final String READ_ONLY = "READONLY You can't write against a read only replica.";

    private static final String REFUSES_FULL = ", refuses commands: OOM: the memory of the server is full (maxmemory)";
    private static final String REFUSES_READ_ONLY =
            ", refuses commands: READONLY: a replica, which stores nothing (expected: a master)";

    private final RedisFixture fixture = new RedisFixture();
    private final RedisServer server = fixture.server();

    @AfterEach
    void close() {
        fixture.close();
    }

    @Test
    void showsARefusedSpendForTwoSeconds() {
        fixture.ticker.advance(1, TimeUnit.HOURS);
        refuse(fixture.ready(server, SHARDS, 0), FULL);
        assertThat(server.contact()).isEqualTo("verified, 0 replicas" + REFUSES_FULL);

        fixture.ticker.advance(2 * SECOND - 1, TimeUnit.NANOSECONDS);
        assertThat(server.contact()).isEqualTo("verified, 0 replicas" + REFUSES_FULL);

        fixture.ticker.advance(1, TimeUnit.NANOSECONDS);
        assertThat(server.contact()).isEqualTo("verified, 0 replicas");
    }

    @Test
    void showsThatTheTextOfAScriptWasRefused() {
        FakeRedis redis = fixture.ready(server, SHARDS, 0);
        spend();
        redis.next("evalsha").response().completeExceptionally(new RedisNoScriptException("NOSCRIPT"));
        assertThat(server.contact()).as("the text follows").isEqualTo("verified, 0 replicas");

        redis.next("eval").response().completeExceptionally(new RedisCommandExecutionException(FULL));

        assertThat(server.contact()).isEqualTo("verified, 0 replicas" + REFUSES_FULL);
    }

    @Test
    void showsThatTheWaitForACopyWasRefused() {
        FakeRedis redis = fixture.ready(server, SHARDS, 1);
        spend();
        redis.next("evalsha").response().complete(Scripts.STORED);

        redis.next("waitForReplication")
                .response()
                .completeExceptionally(new RedisCommandExecutionException(READ_ONLY));

        assertThat(server.contact()).isEqualTo("verified, 1 replicas" + REFUSES_READ_ONLY);
    }

    @Test
    void replacesAConnectionToAServerThatBecameAReplica() {
        FakeRedis redis = fixture.ready(server, SHARDS, 0);
        long connected = fixture.ticker.nanoTime();
        refuse(redis, READ_ONLY);
        server.maintain(SHARDS, connected + SECOND - 1);
        assertThat(redis.closed).as("one attempt a second").isFalse();

        server.maintain(SHARDS, connected + SECOND);

        assertThat(redis.closed).isTrue();
        assertThat(fixture.events("recreated")).isEqualTo(1);
        assertThat(server.contact())
                .isEqualTo("not connected: READONLY: a replica, which stores nothing (expected: a master)");
    }

    @Test
    void keepsAConnectionToAServerWhoseMemoryIsFull() {
        FakeRedis redis = fixture.ready(server, SHARDS, 0);
        long connected = fixture.ticker.nanoTime();
        refuse(redis, FULL);

        server.maintain(SHARDS, connected + SECOND);

        assertThat(redis.closed).isFalse();
        assertThat(server.ready()).isTrue();
    }

    @Test
    void logsThatTheServerRefusesCommandsAndThatItIsBack() {
        try (LogLines log = new LogLines(RedisServer.class)) {
            FakeRedis redis = fixture.ready(server, SHARDS, 0);
            assertThat(log.lines()).as("not verified at the last look").isEmpty();
            maintain();
            assertThat(log.lines()).containsExactly("Redis one:1 (ledger) is connected");

            refuse(redis, FULL);
            maintain();
            fixture.ticker.advance(RETRY, TimeUnit.NANOSECONDS);
            maintain();
            assertThat(log.lines())
                    .hasSize(2)
                    .last()
                    .isEqualTo("Redis one:1 (ledger) is away: verified, 0 replicas" + REFUSES_FULL + " (trying again)");

            fixture.ticker.advance(2 * SECOND - RETRY, TimeUnit.NANOSECONDS);
            maintain();
            assertThat(log.lines()).hasSize(3).last().isEqualTo("Redis one:1 (ledger) is back after 2 s");
        }
    }

    @Test
    void returnsUnknownForSpendsThatWereQueuedWhenTheServerBecameAReplica() {
        FakeRedis redis = fixture.ready(server, SHARDS, 0);
        fixture.spend(server);
        fixture.spend(server);
        server.maintain(SHARDS, fixture.ticker.nanoTime() + SECOND);
        redis.next("info").response().complete(FakeRedis.info("0a1b", "slave", 0));
        fixture.settle();

        assertThat(fixture.responses)
                .extracting(PendingSpend::result)
                .containsExactly(SpendResult.UNKNOWN, SpendResult.UNKNOWN);
        assertThat(redis.waiting()).isZero();
        assertThat(server.inFlight()).isZero();
    }

    @Test
    void triesAgainWhenNoConnectionCouldBeAskedFor() {
        List<RedisURI> asked = new ArrayList<>();
        RedisServer unreadable = new RedisServer(
                RedisFixture.ONE,
                fixture.resources,
                uri -> {
                    asked.add(uri);
                    throw new IllegalStateException("planted: file of the URI");
                },
                fixture.keys);
        long start = fixture.ticker.nanoTime();

        unreadable.maintain(SHARDS, start);
        assertThat(unreadable.contact()).startsWith("not connected: ");
        unreadable.maintain(SHARDS, start + RETRY);

        assertThat(asked).hasSize(2);
    }

    private void spend() {
        fixture.spend(server);
        fixture.channel.runPendingTasks();
    }

    private void refuse(FakeRedis redis, String reply) {
        spend();
        redis.next("evalsha").response().completeExceptionally(new RedisCommandExecutionException(reply));
        fixture.channel.runPendingTasks();
    }

    private void maintain() {
        server.maintain(SHARDS, fixture.ticker.nanoTime());
    }
}
