package dev.postern.auth.spend.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.auth.spend.PendingSpend;
import dev.postern.auth.spend.Redemption;
import dev.postern.auth.spend.SpendEventLoops;
import dev.postern.auth.spend.SpendLedger;
import dev.postern.auth.spend.SpendResult;
import dev.postern.auth.spend.TestRedemptions;
import dev.postern.core.testing.RedisExtension;
import io.lettuce.core.FlushMode;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Tests two gateways whose server forgets the scripts all the time: each spend and refund works as ever. */
@Tag("faults")
class RedisScriptFlushIT {

    private static final int ROUNDS = 60;
    private static final int TOKENS = 20;
    private static final AtomicLong SEEDS = new AtomicLong(31);

    @RegisterExtension
    static final RedisExtension REDIS = new RedisExtension();

    @RegisterExtension
    static final SpendEventLoops LOOPS = new SpendEventLoops();

    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    /** Other tokens for each test, since the server keeps them. */
    private final TestRedemptions tokens = new TestRedemptions(SEEDS.incrementAndGet(), InstantSource.system());

    private final List<SpendLedger> ledgers = new ArrayList<>();

    @BeforeEach
    void open() {
        for (int i = 0; i < 2; i++) {
            SpendLedger ledger = RedisTestSettings.of(REDIS.address(), false)
                    .open("test", registry, InstantSource.system(), LOOPS.all());
            ledgers.add(ledger);
            Awaitility.await().until(() -> ledger.health().healthy());
        }
    }

    @AfterEach
    void close() {
        ledgers.forEach(SpendLedger::close);
    }

    @Test
    void acceptsEachTokenOnceWithoutUnknownSpends() {
        byte[] epoch = ledgers.get(0).epoch();
        for (int round = 0; round < ROUNDS; round++) {
            flushScripts();
            List<CompletableFuture<PendingSpend>> spends = new ArrayList<>();
            for (int i = 0; i < TOKENS; i++) {
                Redemption token = tokens.issuedBy(ledgers.get(0));
                ledgers.forEach(ledger -> spends.add(LOOPS.begin(ledger, token)));
            }
            flushScripts();
            List<SpendResult> results = spends.stream()
                    .map(one -> SpendEventLoops.await(one).result())
                    .toList();
            for (int i = 0; i < TOKENS; i++) {
                assertThat(results.subList(2 * i, 2 * i + 2))
                        .containsExactlyInAnyOrder(SpendResult.FRESH, SpendResult.SPENT);
            }
        }
        assertThat(ledgers)
                .allSatisfy(ledger -> assertThat(ledger.health().healthy()).isTrue());
        assertThat(ledgers.get(0).epoch()).as("no memory was lost").isEqualTo(epoch);
    }

    @Test
    void refundsASpend() {
        SpendLedger ledger = ledgers.get(0);
        for (int i = 1; i <= 20; i++) {
            Redemption token = tokens.issuedBy(ledger);
            PendingSpend spend = LOOPS.attempt(ledger, token);
            assertThat(spend.result()).isEqualTo(SpendResult.FRESH);
            flushScripts();
            LOOPS.refund(ledger, spend);

            int refunded = i;
            Awaitility.await()
                    .until(() -> registry.counter("postern.ledger.events", "event", "given-back")
                                    .count()
                            == refunded);
            assertThat(LOOPS.spend(ledger, token)).isEqualTo(SpendResult.FRESH);
        }
        assertThat(registry.counter("postern.ledger.events", "event", "not-given-back")
                        .count())
                .isZero();
    }

    private static void flushScripts() {
        REDIS.connection().sync().scriptFlush(FlushMode.SYNC);
    }
}
