package dev.postern.auth.spend.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.auth.SpendLedgers;
import dev.postern.auth.spend.LedgerEnvironment;
import dev.postern.auth.spend.LedgerSettings;
import dev.postern.auth.spend.PendingSpend;
import dev.postern.auth.spend.Redemption;
import dev.postern.auth.spend.SpendEventLoops;
import dev.postern.auth.spend.SpendLedger;
import dev.postern.auth.spend.SpendLedgerContract;
import dev.postern.auth.spend.SpendResult;
import dev.postern.core.config.ByteSize;
import dev.postern.core.testing.KeyDefaults;
import dev.postern.core.testing.ManualClock;
import io.micrometer.core.instrument.MeterRegistry;
import io.netty.channel.EventLoop;
import io.netty.util.concurrent.Ticker;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class EmbeddedLedgerTest extends SpendLedgerContract {

    private final ManualClock clock = new ManualClock(Instant.parse("2026-11-20T10:00:30Z"));

    @Override
    protected SpendLedger open(MeterRegistry registry, InstantSource source) {
        LedgerSettings small = KeyDefaults.of(
                LedgerSettings.class, Map.of("embedded", new LedgerSettings.Embedded(ByteSize.of("1MiB"), null)));
        return SpendLedgers.open(
                small, new LedgerEnvironment("test", registry, source, Ticker.systemTicker(), LOOPS.all()));
    }

    @Override
    protected InstantSource clock() {
        return clock;
    }

    @Override
    protected void awaitRefund(int count) {
        assertThat(events("given-back")).isEqualTo(count);
    }

    @Test
    void keepsSpendsUntilTheirEndAndThenDropsWholeWindows() {
        Redemption token = tokens.next(Duration.ofMinutes(10));
        for (int i = 0; i < 1_000; i++) {
            spend(tokens.next(Duration.ofMinutes(10)));
        }
        spend(token);

        clock.advance(Duration.ofMinutes(10).minusMillis(1));
        assertThat(spend(token)).isEqualTo(SpendResult.SPENT);
        assertThat(remembered()).isEqualTo(1_001);

        clock.advance(Duration.ofMinutes(1).plusMillis(1));
        assertThat(remembered()).isZero();
    }

    @Test
    void refusesWhenFullAndKeepsAllSpends() {
        List<Redemption> fresh = fill(tokensUntilFull());

        PendingSpend refused = LOOPS.attempt(ledger, tokens.next());

        assertThat(refused.result()).isEqualTo(SpendResult.UNKNOWN);
        assertThat(refused.busy()).isTrue();
        assertThat(ledger.health().healthy()).isFalse();
        assertThat(fresh).allSatisfy(token -> assertThat(spend(token)).isEqualTo(SpendResult.SPENT));
        // 1 MiB minus unused capacity: sixteen bytes per token, and half of it unused in the worst case.
        assertThat(fresh).hasSizeGreaterThan(20_000);
    }

    @Test
    void isBusyOnlyWhenFull() {
        Redemption token = tokens.next();

        PendingSpend fresh = LOOPS.attempt(ledger, token);
        PendingSpend spent = LOOPS.attempt(ledger, token);

        assertThat(fresh.result()).isEqualTo(SpendResult.FRESH);
        assertThat(fresh.busy()).isFalse();
        assertThat(spent.result()).isEqualTo(SpendResult.SPENT);
        assertThat(spent.busy()).isFalse();
    }

    @Test
    void hasCapacityAgainAfterAWindow() {
        fill(tokensUntilFull());

        clock.advance(Duration.ofMinutes(12));

        assertThat(spend(tokens.next())).isEqualTo(SpendResult.FRESH);
    }

    @Test
    void acceptsEachTokenOnceWithConcurrentEventLoops() {
        List<Redemption> all = new ArrayList<>();
        for (int i = 0; i < 20_000; i++) {
            all.add(tokens.next());
        }
        AtomicInteger fresh = new AtomicInteger();
        List<CompletableFuture<Void>> loops = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            EventLoop loop = LOOPS.next();
            loops.add(CompletableFuture.runAsync(
                    () -> {
                        for (Redemption token : all) {
                            ledger.spend(
                                    token,
                                    loop,
                                    pendingSpend ->
                                            fresh.addAndGet(pendingSpend.result() == SpendResult.FRESH ? 1 : 0));
                        }
                    },
                    loop));
        }
        loops.forEach(SpendEventLoops::await);

        assertThat(fresh).hasValue(all.size());
        assertThat(remembered()).isEqualTo(all.size());
    }

    @Test
    void changesItsEpochWithEachStart() {
        try (SpendLedger restarted = open(registry, clock)) {
            assertThat(restarted.epoch()).isNotEqualTo(ledger.epoch());
        }
    }

    @Test
    void neverSharesItsEpochArray() {
        ledger.epoch()[0]++;

        assertThat(ledger.epoch()).isEqualTo(ledger.epoch());
    }

    @Test
    void keepsTheEndOfEachToken() {
        Redemption early = tokens.next(Duration.ofMinutes(5));
        Redemption late = tokens.next(Duration.ofMinutes(20));
        spend(early);
        spend(late);

        clock.advance(Duration.ofMinutes(10));

        assertThat(remembered()).isEqualTo(1);
        assertThat(spend(late)).isEqualTo(SpendResult.SPENT);
    }

    private List<Redemption> fill(int max) {
        List<Redemption> fresh = new ArrayList<>();
        for (int i = 0; i < max; i++) {
            Redemption token = tokens.next();
            if (spend(token) == SpendResult.FRESH) {
                fresh.add(token);
            }
        }
        return fresh;
    }

    private static int tokensUntilFull() {
        return 150_000;
    }

    private SpendResult spend(Redemption redemption) {
        SpendResult[] result = new SpendResult[1];
        ledger.spend(redemption, LOOPS.next(), pendingSpend -> result[0] = pendingSpend.result());
        return result[0];
    }

    private long remembered() {
        return ((EmbeddedLedger) ledger).size();
    }
}
