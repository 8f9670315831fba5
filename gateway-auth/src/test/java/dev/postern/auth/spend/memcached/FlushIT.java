package dev.postern.auth.spend.memcached;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.auth.SpendLedgers;
import dev.postern.auth.spend.LedgerEnvironment;
import dev.postern.auth.spend.LedgerSettings;
import dev.postern.auth.spend.LedgerSettings.Client;
import dev.postern.auth.spend.LedgerSettings.WhenForgotten;
import dev.postern.auth.spend.PendingSpend;
import dev.postern.auth.spend.Redemption;
import dev.postern.auth.spend.SpendEventLoops;
import dev.postern.auth.spend.SpendLedger;
import dev.postern.auth.spend.SpendResult;
import dev.postern.auth.spend.TestRedemptions;
import dev.postern.core.testing.MemcachedExtension;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.netty.util.concurrent.Ticker;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests a server that is flushed while its connections stay open: no spend may be FRESH because of the state before. */
class FlushIT {

    @RegisterExtension
    static final MemcachedExtension MEMCACHED = new MemcachedExtension();

    @RegisterExtension
    static final SpendEventLoops LOOPS = new SpendEventLoops();

    private static final AtomicInteger NAMESPACES = new AtomicInteger();
    private static final int FLUSHES = 20;

    private final TestRedemptions tokens = new TestRedemptions(18, InstantSource.system());

    /** Returns the client of this suite. */
    protected Client client() {
        return Client.SPYMEMCACHED;
    }

    @ParameterizedTest
    @EnumSource(
            value = WhenForgotten.class,
            names = {"ROLL", "REFUSE"})
    void refusesATokenThatWasSpentJustBeforeTheFlush(WhenForgotten policy) {
        try (SpendLedger ledger = open(policy)) {
            for (int i = 0; i < FLUSHES; i++) {
                Redemption token = awaitFresh(ledger);

                flush("flush_all");

                assertThat(LOOPS.spend(ledger, token)).as("flush %d", i).isNotEqualTo(SpendResult.FRESH);
            }
        }
    }

    @Test
    void acceptsNoTokenTwiceDuringConcurrentFlushes() {
        Map<Redemption, AtomicInteger> fresh = new ConcurrentHashMap<>();
        try (SpendLedger ledger = open(WhenForgotten.ROLL)) {
            CompletableFuture<Void> flushes = CompletableFuture.runAsync(() -> {
                for (int i = 0; i < FLUSHES; i++) {
                    awaitFresh(ledger);
                    flush("flush_all");
                }
            });
            while (!flushes.isDone()) {
                redeemManyTimes(ledger, fresh);
            }
            assertThat(flushes).isCompleted();
        }
        assertThat(fresh).isNotEmpty();
        assertThat(fresh.values()).extracting(AtomicInteger::get).containsOnly(1);
    }

    /** A delayed flush takes effect by the server's clock, at the start of a second. */
    @Test
    void acceptsNoTokenTwiceWhenADelayedFlushTakesEffect() {
        Map<Redemption, AtomicInteger> fresh = new ConcurrentHashMap<>();
        try (SpendLedger ledger = open(WhenForgotten.ROLL)) {
            byte[] oldEpoch = ledger.epoch();
            flush("flush_all 2");
            while (Arrays.equals(oldEpoch, ledger.epoch())) {
                redeemManyTimes(ledger, fresh);
            }
            awaitFresh(ledger);
            redeemManyTimes(ledger, fresh);
        }
        assertThat(fresh).isNotEmpty();
        assertThat(fresh.values()).extracting(AtomicInteger::get).containsOnly(1);
    }

    /** Redeems a few tokens several times each, and counts how often each was accepted. */
    private void redeemManyTimes(SpendLedger ledger, Map<Redemption, AtomicInteger> fresh) {
        List<Redemption> issued = new ArrayList<>();
        for (int i = 0; i < 16; i++) {
            issued.add(tokens.issuedBy(ledger));
        }
        for (int time = 0; time < 20; time++) {
            List<CompletableFuture<PendingSpend>> responses = new ArrayList<>();
            issued.forEach(token -> responses.add(LOOPS.begin(ledger, token)));
            for (int i = 0; i < issued.size(); i++) {
                if (SpendEventLoops.await(responses.get(i)).result() == SpendResult.FRESH) {
                    fresh.computeIfAbsent(issued.get(i), token -> new AtomicInteger())
                            .incrementAndGet();
                }
            }
        }
    }

    private Redemption awaitFresh(SpendLedger ledger) {
        AtomicReference<@Nullable Redemption> found = new AtomicReference<>();
        Awaitility.await().until(() -> {
            Redemption token = tokens.issuedBy(ledger);
            found.set(token);
            return LOOPS.spend(ledger, token) == SpendResult.FRESH;
        });
        return Objects.requireNonNull(found.get());
    }

    private static void flush(String command) {
        assertThat(MemcachedText.ask(MEMCACHED.server(), command)).containsExactly("OK");
    }

    private SpendLedger open(WhenForgotten policy) {
        LedgerSettings patient = MemcachedTestSettings.of(client(), MEMCACHED.address());
        LedgerSettings settings = new LedgerSettings(
                patient.store(),
                patient.deadline(),
                patient.whenUnknown(),
                policy,
                patient.refund(),
                patient.embedded(),
                patient.memcached());
        return SpendLedgers.open(
                settings,
                new LedgerEnvironment(
                        "flush" + NAMESPACES.incrementAndGet(),
                        new SimpleMeterRegistry(),
                        InstantSource.system(),
                        Ticker.systemTicker(),
                        LOOPS.all()));
    }
}
