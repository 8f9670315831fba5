package dev.postern.auth.spend;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.auth.SpendLedgers;
import dev.postern.core.config.RedisSettings;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Tests the contract of ledgers on servers, which several gateways share and which keep spends between tests. */
public abstract class SharedLedgerContract extends SpendLedgerContract {

    /** Longer than any pause of a busy machine. */
    private static final Duration PATIENT = Duration.ofSeconds(10);

    private static final AtomicLong SEEDS = new AtomicLong();

    protected abstract LedgerSettings settings(Duration deadline);

    /** Returns the Redis of the ledger; null for a ledger that is not in Redis. */
    protected @Nullable RedisSettings redis() {
        return null;
    }

    /** Returns the number of servers that store each spend. */
    protected int copies() {
        return 1;
    }

    @Override
    protected final SpendLedger open(MeterRegistry meters, InstantSource source) {
        return ready(open("test", PATIENT, meters));
    }

    /** Opens a ledger and waits until its servers are ready. */
    protected final SpendLedger open(Duration deadline) {
        return ready(open("test", deadline, new SimpleMeterRegistry()));
    }

    protected final SpendLedger open(String namespace, Duration deadline, MeterRegistry meters) {
        return SpendLedgers.open(settings(deadline), LOOPS.environment(namespace, meters, clock(), redis()));
    }

    private static SpendLedger ready(SpendLedger opened) {
        Awaitility.await().until(() -> opened.health().healthy());
        return opened;
    }

    @Override
    protected final InstantSource clock() {
        return InstantSource.system();
    }

    @Override
    protected final long seed() {
        return SEEDS.incrementAndGet();
    }

    @Override
    protected final void awaitRefund(int count) {
        Awaitility.await().untilAsserted(() -> assertThat(events("given-back")).isEqualTo(copies() * count));
    }

    @Test
    void sharesSpendsAndEpochWithAnotherGateway() {
        try (SpendLedger other = open(PATIENT)) {
            assertThat(other.epoch()).isEqualTo(ledger.epoch());
            for (int i = 0; i < 50; i++) {
                Redemption token = tokens.issuedBy(ledger);
                assertThat(LOOPS.spend(ledger, token)).isEqualTo(SpendResult.FRESH);
                assertThat(LOOPS.spend(other, token)).isEqualTo(SpendResult.SPENT);
            }
        }
    }

    @Test
    void acceptsATokenOnceOverTwoGateways() {
        try (SpendLedger other = open(PATIENT)) {
            for (int round = 0; round < 20; round++) {
                Redemption token = round % 2 == 0 ? tokens.next() : tokens.issuedBy(ledger);
                List<CompletableFuture<PendingSpend>> callers = new ArrayList<>();
                for (int i = 0; i < 64; i++) {
                    callers.add(LOOPS.begin(i % 2 == 0 ? ledger : other, token));
                }

                assertThat(callers.stream().map(c -> SpendEventLoops.await(c).result()))
                        .filteredOn(SpendResult.FRESH::equals)
                        .hasSize(1);
            }
        }
    }

    @Test
    void separatesNamespaces() {
        Redemption token = tokens.next();
        try (SpendLedger other = ready(open("other", PATIENT, new SimpleMeterRegistry()))) {
            assertThat(LOOPS.spend(ledger, token)).isEqualTo(SpendResult.FRESH);
            assertThat(LOOPS.spend(other, token)).isEqualTo(SpendResult.FRESH);
        }
    }
}
