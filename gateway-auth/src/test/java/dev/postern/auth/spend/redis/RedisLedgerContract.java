package dev.postern.auth.spend.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.auth.spend.Loops;
import dev.postern.auth.spend.PendingSpend;
import dev.postern.auth.spend.Redemption;
import dev.postern.auth.spend.SpendLedger;
import dev.postern.auth.spend.SpendLedgerContract;
import dev.postern.auth.spend.SpendResult;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** What the ledger promises over one Redis as over a Cluster. */
abstract class RedisLedgerContract extends SpendLedgerContract {

    private static final AtomicLong SEEDS = new AtomicLong();

    protected abstract Patient settings();

    @Override
    protected SpendLedger open(MeterRegistry meters, InstantSource source) {
        return open("test", meters, source);
    }

    protected SpendLedger open(String namespace, MeterRegistry meters, InstantSource source) {
        SpendLedger opened = settings().open(namespace, meters, source, LOOPS.all());
        Awaitility.await().until(() -> opened.health().healthy());
        return opened;
    }

    @Override
    protected InstantSource clock() {
        return InstantSource.system();
    }

    /** The server remembers from test to test, as it should. */
    @Override
    protected long seed() {
        return SEEDS.incrementAndGet();
    }

    @Override
    protected void awaitGivenBack(int count) {
        Awaitility.await().untilAsserted(() -> assertThat(events("given-back")).isEqualTo(count));
    }

    @Test
    void sharesSpendsAndEpochWithAnotherGateway() {
        try (SpendLedger other = open(new SimpleMeterRegistry(), clock())) {
            assertThat(other.epoch()).isEqualTo(ledger.epoch());
            for (int i = 0; i < 50; i++) {
                Redemption token = tokens.issuedBy(ledger);
                assertThat(LOOPS.spend(ledger, token)).isEqualTo(SpendResult.FRESH);
                assertThat(LOOPS.spend(other, token)).isEqualTo(SpendResult.SPENT);
            }
        }
    }

    @Test
    void hasOneWinnerOverTwoGateways() {
        try (SpendLedger other = open(new SimpleMeterRegistry(), clock())) {
            for (int round = 0; round < 20; round++) {
                Redemption token = tokens.next();
                List<CompletableFuture<PendingSpend>> callers = new ArrayList<>();
                for (int i = 0; i < 64; i++) {
                    callers.add(LOOPS.begin(i % 2 == 0 ? ledger : other, token));
                }

                assertThat(callers.stream().map(c -> Loops.await(c).result()))
                        .filteredOn(SpendResult.FRESH::equals)
                        .hasSize(1);
            }
        }
    }

    @Test
    void keepsNamespacesApart() {
        Redemption token = tokens.next();
        try (SpendLedger other = open("other", new SimpleMeterRegistry(), clock())) {
            assertThat(LOOPS.spend(ledger, token)).isEqualTo(SpendResult.FRESH);
            assertThat(LOOPS.spend(other, token)).isEqualTo(SpendResult.FRESH);
        }
    }
}
