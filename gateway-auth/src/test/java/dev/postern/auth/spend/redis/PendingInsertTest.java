package dev.postern.auth.spend.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.auth.spend.SpendLatency;
import dev.postern.auth.spend.SpendResult;
import dev.postern.auth.spend.store.StoreReply;
import dev.postern.auth.spend.store.WriteTiming;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class PendingInsertTest {

    private final RedisFixture fixture = new RedisFixture();
    private final RedisServer server = fixture.server();

    @BeforeEach
    void verify() {
        fixture.state.observed(0, RedisFixture.MARKER);
    }

    @AfterEach
    void close() {
        fixture.close();
    }

    @Test
    void mapsTheReplyToAResult() {
        assertThat(response(Scripts.STORED, null, true).result()).isEqualTo(SpendResult.FRESH);
        assertThat(response(Scripts.SPENT, null, true).result()).isEqualTo(SpendResult.SPENT);
        assertThat(response(Scripts.OTHER_MARKER, null, true).result()).isEqualTo(SpendResult.UNKNOWN);
        assertThat(response(77L, null, true).result()).isEqualTo(SpendResult.UNKNOWN);
        assertThat(response(null, new RedisException("gone"), true).result()).isEqualTo(SpendResult.UNKNOWN);
        assertThat(fixture.responses)
                .hasSize(5)
                .allSatisfy(one -> assertThat(one.busy()).isFalse());
    }

    @Test
    void distinguishesRefusedAndLostSpends() {
        assertThat(response(Scripts.STORED, null, true).reply()).isEqualTo(StoreReply.STORED);
        assertThat(response(Scripts.SPENT, null, true).reply()).isEqualTo(StoreReply.NOT_STORED);
        assertThat(response(Scripts.OTHER_MARKER, null, true).reply()).isEqualTo(StoreReply.REFUSED);
        assertThat(response(null, new RedisCommandExecutionException("MOVED 1 other:1"), true)
                        .reply())
                .isEqualTo(StoreReply.REFUSED);
        assertThat(response(null, new RedisException("gone"), true).reply()).isEqualTo(StoreReply.LOST);
    }

    @Test
    void measuresItsParts() {
        PendingInsert insert = insert();
        WriteTiming timing = new WriteTiming();
        insert.goes(timing);
        long now = fixture.ticker.nanoTime();
        assertThat(insert.times(now - 300, now + 1_000)).isEqualTo(new SpendLatency(1_300, 0, 0));
        timing.begin(now);
        timing.end(now + 10);
        assertThat(insert.times(now - 300, now + 5_000)).isEqualTo(new SpendLatency(300, 10, 0));

        insert.came(Scripts.SPENT, null, CompletableFuture.completedFuture(true));
        fixture.channel.runPendingTasks();
        long then = fixture.ticker.nanoTime();

        assertThat(insert.times(now, then + 1_000).back())
                .isEqualTo(insert.times(now, then).back() + 1_000);
        assertThat(response(Scripts.SPENT, null, true).times(now, then)).isEqualTo(SpendLatency.NONE);
    }

    @Test
    void isFreshOnlyWithACopy() {
        PendingInsert insert = insert();
        CompletableFuture<Boolean> copied = new CompletableFuture<>();
        insert.came(Scripts.STORED, null, copied);
        fixture.channel.runPendingTasks();
        assertThat(insert.responded()).isFalse();
        assertThat(insert.reply()).as("must be refunded").isEqualTo(StoreReply.STORED);

        copied.complete(true);
        fixture.channel.runPendingTasks();

        assertThat(insert.result()).isEqualTo(SpendResult.FRESH);
        assertThat(response(Scripts.STORED, null, false).result()).isEqualTo(SpendResult.UNKNOWN);
    }

    @Test
    void isNotFreshWithAnOutdatedMarkerOrEpoch() {
        PendingInsert insert = insert();
        fixture.state.observed(1, RedisFixture.OTHER_MARKER);
        insert.came(Scripts.STORED, null, CompletableFuture.completedFuture(true));
        fixture.channel.runPendingTasks();
        assertThat(insert.result()).isEqualTo(SpendResult.UNKNOWN);

        fixture.state.observed(0, RedisFixture.OTHER_MARKER);
        assertThat(response(Scripts.STORED, null, true).result()).isEqualTo(SpendResult.UNKNOWN);
    }

    @Test
    void staysUnknownAfterItsDeadline() {
        for (Long response : List.of(Scripts.STORED, Scripts.SPENT, Scripts.OTHER_MARKER)) {
            fixture.responses.clear();
            PendingInsert insert = insert();
            insert.expire();
            assertThat(fixture.responses).hasSize(1);

            insert.came(response, null, CompletableFuture.completedFuture(true));
            fixture.channel.runPendingTasks();

            assertThat(fixture.responses).as("completed once").hasSize(1);
            assertThat(insert.result()).isEqualTo(SpendResult.UNKNOWN);
        }
        assertThat(fixture.registry.counter("postern.ledger.late").count()).isEqualTo(3);
    }

    @Test
    void getsNoSecondResultAtItsDeadline() {
        PendingInsert insert = response(Scripts.STORED, null, true);

        insert.expire();

        assertThat(fixture.responses).hasSize(1);
        assertThat(insert.result()).isEqualTo(SpendResult.FRESH);
    }

    @Test
    void recordsSpentTokens() {
        assertThat(fixture.spent.contains(response(Scripts.STORED, null, true)
                        .request()
                        .redemption()
                        .key()))
                .isFalse();

        PendingInsert spent = response(Scripts.SPENT, null, true);

        assertThat(fixture.spent.contains(spent.request().redemption().key())).isTrue();
    }

    @Test
    void releasesItsPermitOnceSettled() {
        int inFlightBefore = server.inFlight();
        response(Scripts.STORED, null, true);
        response(Scripts.SPENT, null, true);
        response(Scripts.OTHER_MARKER, null, true);
        response(null, new RedisException("gone"), true);
        insert().unsent();

        assertThat(server.inFlight()).isEqualTo(inFlightBefore - 5);
    }

    @Test
    void opensTheBreakerForLostUnsentAndLateSpendsOnly() {
        for (int i = 0; i < 100; i++) {
            response(i % 3L, null, true);
        }
        assertThat(server.state()).endsWith("breaker closed");
        for (int how = 0; how < 3; how++) {
            RedisServer other = fixture.server();
            for (int i = 0; i < 64; i++) {
                PendingInsert insert = fixture.insert(other);
                if (how == 0) {
                    insert.unsent();
                } else if (how == 1) {
                    insert.came(null, new RedisException("gone"), CompletableFuture.completedFuture(true));
                } else {
                    insert.expire();
                }
                fixture.channel.runPendingTasks();
            }
            assertThat(other.state()).endsWith("breaker open");
        }
    }

    private PendingInsert insert() {
        return fixture.insert(server);
    }

    private PendingInsert response(@Nullable Long response, @Nullable Throwable failure, boolean copied) {
        PendingInsert insert = insert();
        insert.came(response, failure, CompletableFuture.completedFuture(copied));
        fixture.channel.runPendingTasks();
        return insert;
    }
}
