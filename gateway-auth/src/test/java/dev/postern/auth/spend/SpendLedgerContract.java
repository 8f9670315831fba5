package dev.postern.auth.spend;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Tests the contract of all ledgers. */
public abstract class SpendLedgerContract {

    @RegisterExtension
    protected static final SpendEventLoops LOOPS = new SpendEventLoops();

    protected final MeterRegistry registry = new SimpleMeterRegistry();
    protected SpendLedger ledger;
    protected TestRedemptions tokens;

    protected abstract SpendLedger open(MeterRegistry registry, InstantSource clock);

    protected abstract InstantSource clock();

    /** Waits until that many tokens were refunded; returns at once for a ledger that refunds synchronously. */
    protected abstract void awaitRefund(int count);

    @BeforeEach
    void openLedger() {
        ledger = open(registry, clock());
        tokens = new TestRedemptions(seed(), clock());
    }

    @AfterEach
    void closeLedger() {
        ledger.close();
    }

    /** Returns the seed of the tokens; differs in each test when tests share a store. */
    protected long seed() {
        return 1;
    }

    @Test
    void returnsFreshOnceAndThenSpent() {
        for (int i = 0; i < 100; i++) {
            Redemption token = tokens.next();

            assertThat(LOOPS.spend(ledger, token)).isEqualTo(SpendResult.FRESH);
            assertThat(LOOPS.spend(ledger, token)).isEqualTo(SpendResult.SPENT);
            assertThat(LOOPS.spend(ledger, token)).isEqualTo(SpendResult.SPENT);
        }
    }

    @Test
    void acceptsOneOf64ConcurrentSpends() {
        for (int round = 0; round < 20; round++) {
            Redemption token = tokens.next();
            List<CompletableFuture<PendingSpend>> callers = new ArrayList<>();
            for (int i = 0; i < 64; i++) {
                callers.add(LOOPS.begin(ledger, token));
            }

            List<SpendResult> results = callers.stream()
                    .map(caller -> SpendEventLoops.await(caller).result())
                    .toList();

            assertThat(results).filteredOn(SpendResult.FRESH::equals).hasSize(1);
            assertThat(results).filteredOn(SpendResult.SPENT::equals).hasSize(63);
        }
    }

    @Test
    void refundsTheAcceptedSpend() {
        Redemption token = tokens.next();
        PendingSpend winner = LOOPS.attempt(ledger, token);
        assertThat(LOOPS.spend(ledger, token)).isEqualTo(SpendResult.SPENT);

        LOOPS.refund(ledger, winner);
        awaitRefund(1);

        assertThat(LOOPS.spend(ledger, token)).isEqualTo(SpendResult.FRESH);
        assertThat(LOOPS.spend(ledger, token)).isEqualTo(SpendResult.SPENT);
    }

    @Test
    void neverRefundsTheSpendOfAnotherRequest() {
        Redemption token = tokens.next();
        PendingSpend winner = LOOPS.attempt(ledger, token);
        PendingSpend loser = LOOPS.attempt(ledger, token);
        LOOPS.refund(ledger, loser);
        LOOPS.refund(ledger, winner);
        awaitRefund(1);
        PendingSpend second = LOOPS.attempt(ledger, token);
        assertThat(second.result()).isEqualTo(SpendResult.FRESH);

        // The first spend was refunded; the stored one is the second.
        LOOPS.refund(ledger, winner);
        Redemption marker = tokens.next();
        LOOPS.refund(ledger, LOOPS.attempt(ledger, marker));
        awaitRefund(2);

        assertThat(LOOPS.spend(ledger, token)).isEqualTo(SpendResult.SPENT);
    }

    @Test
    void returnsSpentForAnExpiredToken() {
        assertThat(LOOPS.spend(ledger, tokens.next(Duration.ofSeconds(-1)))).isEqualTo(SpendResult.SPENT);
        assertThat(LOOPS.spend(ledger, tokens.next(Duration.ZERO))).isEqualTo(SpendResult.SPENT);
    }

    @Test
    void knowsReplaysWithoutARequest() {
        Redemption token = tokens.next();
        assertThat(ledger.knownSpent(token.key())).isFalse();

        LOOPS.spend(ledger, token);
        LOOPS.spend(ledger, token);

        assertThat(ledger.knownSpent(token.key())).isTrue();
    }

    @Test
    void keepsItsEpochAndNeverAcceptsATokenOfAnotherOne() {
        byte[] epoch = ledger.epoch();
        Redemption own = tokens.issuedBy(ledger);
        Redemption other = new Redemption(tokens.key(), own.acceptedUntil(), new byte[] {1, 2, 3});

        assertThat(LOOPS.spend(ledger, own)).isEqualTo(SpendResult.FRESH);
        assertThat(LOOPS.spend(ledger, other)).isNotEqualTo(SpendResult.FRESH);
        assertThat(ledger.epoch()).isEqualTo(epoch).isNotEmpty();
    }

    @Test
    protected void isHealthy() {
        assertThat(ledger.health().healthy()).isTrue();
        assertThat(ledger.health().stores()).hasSize(1);
    }

    protected final double events(String event) {
        return registry.counter("postern.ledger.events", "event", event).count();
    }
}
