package dev.postern.auth.spend.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.auth.spend.SpendResult;
import io.lettuce.core.RedisException;
import java.net.ConnectException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class RedisServerTest {

    private static final long RETRY = TimeUnit.MILLISECONDS.toNanos(250);
    private static final long PATIENCE = TimeUnit.SECONDS.toNanos(3);
    private static final List<Integer> SHARDS = List.of(0, 5);

    private final RedisFixture fixture = new RedisFixture();
    private final RedisServer server = fixture.server();
    private final long start = fixture.ticker.nanoTime();

    @AfterEach
    void close() {
        fixture.close();
    }

    @Test
    void takesNoPermitWhileTheBreakerIsOpen() {
        fixture.ready(server, SHARDS, 0);
        for (int i = 0; i < 64; i++) {
            server.timedOut();
        }

        fixture.spend(server);

        assertThat(fixture.responses.get(0).busy()).isFalse();
        assertThat(fixture.response()).isEqualTo(SpendResult.UNKNOWN);
        assertThat(server.inFlight()).isZero();
        assertThat(server.state()).isEqualTo("verified, 0 replicas, breaker open");
    }

    @Test
    void closesTheBreakerWhenTheServerIsVerified() {
        for (int i = 0; i < 64; i++) {
            server.timedOut();
        }
        assertThat(server.state()).isEqualTo("not connected, breaker open");

        fixture.ready(server, SHARDS, 0);

        assertThat(server.state()).isEqualTo("verified, 0 replicas, breaker closed");
    }

    @Test
    void checksAgainSoonAfterARefusedSpend() {
        FakeRedis redis = fixture.ready(server, SHARDS, 0);
        long soon = fixture.ticker.nanoTime() + RETRY;
        server.maintain(SHARDS, soon);
        assertThat(redis.waiting()).isZero();
        fixture.spend(server);
        fixture.channel.runPendingTasks();
        redis.next("evalsha").response().complete(Scripts.OTHER_MARKER);
        fixture.channel.runPendingTasks();
        assertThat(fixture.response()).isEqualTo(SpendResult.UNKNOWN);

        server.maintain(SHARDS, soon);

        assertThat(redis.next("info")).isNotNull();
    }

    @Test
    void retriesConnectingAfterADelay() {
        server.maintain(SHARDS, start + RETRY);
        server.maintain(SHARDS, start + 10 * RETRY);
        assertThat(fixture.requested).as("one attempt at a time").hasSize(1);

        fixture.connecting.get(0).completeExceptionally(new RedisException("refused"));
        fixture.settle();
        server.maintain(SHARDS, start + 2 * RETRY - 1);
        assertThat(fixture.requested).hasSize(1);
        server.maintain(SHARDS, start + 2 * RETRY);
        assertThat(fixture.requested).hasSize(2);
        fixture.connect();
        assertThat(fixture.events("connected")).isEqualTo(1);
        assertThat(server.connection()).isNotNull();
    }

    @Test
    void reconnectsAfterAConnectionLoss() {
        FakeRedis redis = fixture.ready(server, SHARDS, 0);
        redis.open = false;

        server.maintain(SHARDS, fixture.ticker.nanoTime() + RETRY);
        assertThat(server.ready()).isFalse();
        assertThat(redis.closed).isTrue();
        assertThat(fixture.events("connection-lost")).isEqualTo(1);
        server.maintain(SHARDS, fixture.ticker.nanoTime() + RETRY);

        assertThat(fixture.requested).hasSize(2);
    }

    @Test
    void reconnectsWhenTheServerDoesNotRespond() {
        FakeRedis redis = fixture.ready(server, SHARDS, 0);
        long now = fixture.ticker.nanoTime();
        server.maintain(SHARDS, now);
        assertThat(redis.closed).isFalse();

        server.maintain(SHARDS, now + PATIENCE);

        assertThat(redis.closed).isTrue();
        assertThat(fixture.events("recreated")).isEqualTo(1);
        assertThat(server.state()).startsWith("not connected");
    }

    @Test
    void closesAConnectionThatOpensTooLate() {
        server.maintain(SHARDS, start + RETRY);
        server.close();

        assertThat(fixture.connect().closed).isTrue();

        RedisServer other = fixture.server();
        FakeRedis redis = fixture.ready(other, SHARDS, 0);
        other.close();
        assertThat(redis.closed).isTrue();
        assertThat(other.ready()).isFalse();
    }

    @Test
    void namesTheReasonWhyThereIsNoConnection() {
        server.maintain(SHARDS, start + RETRY);
        assertThat(server.contact()).isEqualTo("not connected");
        fixture.connecting.get(0).completeExceptionally(new ConnectException("Connection refused"));
        fixture.settle();
        assertThat(server.contact()).isEqualTo("not connected: connection refused");

        RedisServer frozen = fixture.server();
        fixture.ready(frozen, SHARDS, 0);
        frozen.maintain(SHARDS, fixture.ticker.nanoTime() + 2 * PATIENCE);
        assertThat(frozen.contact()).isEqualTo("not connected: no response for 3 s");

        RedisServer lost = fixture.server();
        fixture.ready(lost, SHARDS, 0).open = false;
        lost.maintain(SHARDS, fixture.ticker.nanoTime());
        assertThat(lost.contact()).isEqualTo("not connected: connection lost");
    }

    @Test
    void checksAtOnceWhileTheBreakerIsNotClosed() {
        FakeRedis redis = fixture.ready(server, SHARDS, 0);
        long soon = fixture.ticker.nanoTime() + RETRY;
        server.maintain(SHARDS, soon);
        assertThat(redis.waiting()).isZero();
        for (int i = 0; i < 64; i++) {
            server.timedOut();
        }

        server.maintain(SHARDS, soon);

        assertThat(redis.next("info")).isNotNull();
    }

    @Test
    void probesHalfASecondAfterTheBreakerOpened() {
        fixture.ready(server, SHARDS, 0);
        for (int i = 0; i < 64; i++) {
            server.timedOut();
        }
        long now = fixture.ticker.nanoTime();
        server.maintain(SHARDS, now);
        server.maintain(SHARDS, now + 2 * RETRY - 1);
        assertThat(server.state()).endsWith("breaker open");

        server.maintain(SHARDS, now + 2 * RETRY);

        assertThat(server.state()).endsWith("breaker half-open");
    }

    @Test
    void hasMetersOfItsBreakerUntilItIsClosed() {
        assertThat(breakerMeters()).isNotEmpty();

        server.close();

        assertThat(breakerMeters()).isEmpty();
    }

    private List<String> breakerMeters() {
        return fixture.registry.getMeters().stream()
                .map(meter -> meter.getId().getTags().toString())
                .filter(tags -> tags.contains("ledger one:1"))
                .toList();
    }
}
