package dev.postern.auth.spend.memcached;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.auth.SpendLedgers;
import dev.postern.auth.spend.LedgerEnvironment;
import dev.postern.auth.spend.LedgerSettings;
import dev.postern.auth.spend.LedgerSettings.Client;
import dev.postern.auth.spend.Loops;
import dev.postern.auth.spend.PendingSpend;
import dev.postern.auth.spend.Redemption;
import dev.postern.auth.spend.SpendLedger;
import dev.postern.auth.spend.SpendLedgerContract;
import dev.postern.auth.spend.SpendResult;
import dev.postern.core.testing.MemcachedExtension;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.netty.channel.EventLoop;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class MemcachedLedgerIT extends SpendLedgerContract {

    @RegisterExtension
    static final MemcachedExtension MEMCACHED = new MemcachedExtension();

    private static final Duration BRIEF = Duration.ofMillis(500);
    private static final AtomicLong SEEDS = new AtomicLong();

    /** Who talks to the servers in this suite. */
    protected Client client() {
        return Client.SPYMEMCACHED;
    }

    @Override
    protected SpendLedger open(MeterRegistry meters, InstantSource source) {
        SpendLedger opened = SpendLedgers.open(
                Patient.of(client(), MEMCACHED.address()), new LedgerEnvironment("test", meters, source, LOOPS.all()));
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
        LedgerSettings settings = Patient.of(client(), MEMCACHED.address());
        Redemption token = tokens.next();
        try (SpendLedger other = SpendLedgers.open(
                settings, new LedgerEnvironment("other", new SimpleMeterRegistry(), clock(), LOOPS.all()))) {
            assertThat(LOOPS.spend(ledger, token)).isEqualTo(SpendResult.FRESH);
            assertThat(LOOPS.spend(other, token)).isEqualTo(SpendResult.FRESH);
        }
    }

    @Test
    void doesNotTakeItsOwnStandstillForTheServersSilence() {
        LedgerSettings settings = Patient.of(client(), MEMCACHED.address());
        try (SpendLedger patient = SpendLedgers.open(
                settings, new LedgerEnvironment("test", new SimpleMeterRegistry(), clock(), LOOPS.all()))) {
            Awaitility.await().until(() -> patient.health().healthy());
            assertThat(LOOPS.spendThroughStandstill(patient, tokens)).containsOnlyKeys(SpendResult.FRESH);
        }
    }

    /** The loop does nothing from before the spend is sent until after its deadline. */
    @Test
    void countsAStandstillOfTheLoopOutOfTheDeadline() {
        try (SpendLedger brief = openWithDeadline(BRIEF)) {
            Redemption token = tokens.issuedBy(brief);
            EventLoop loop = LOOPS.next();
            CompletableFuture<PendingSpend> response = new CompletableFuture<>();
            loop.execute(() -> {
                brief.spend(token, loop, response::complete);
                standStill(BRIEF);
            });

            assertThat(Loops.await(response).result()).isEqualTo(SpendResult.FRESH);
        }
    }

    /** What reads the responses does nothing until after the deadline of a spend that is on its way. */
    @Test
    void countsAStandstillOfTheConnectionsThreadOutOfTheDeadline() {
        try (SpendLedger brief = openWithDeadline(BRIEF)) {
            Redemption token = tokens.issuedBy(brief);
            EventLoop loop = LOOPS.next();
            CompletableFuture<PendingSpend> response = new CompletableFuture<>();
            loop.execute(() -> {
                MemcachedConnection connection = Objects.requireNonNull(((MemcachedLedger) brief)
                        .servers()
                        .link(0, token.key(), loop)
                        .readyPipe());
                long later = System.nanoTime() + Duration.ofMinutes(1).toNanos();
                connection.send(
                        new GetsCommand(MemcachedEncoding.gets(new byte[] {'x'}), later, shown -> standStill(BRIEF)));
                brief.spend(token, loop, response::complete);
            });

            assertThat(Loops.await(response).result()).isEqualTo(SpendResult.FRESH);
        }
    }

    private SpendLedger openWithDeadline(Duration deadline) {
        SpendLedger opened = SpendLedgers.open(
                Patient.of(client(), deadline, MEMCACHED.address()),
                new LedgerEnvironment("test", new SimpleMeterRegistry(), clock(), LOOPS.all()));
        Awaitility.await().until(() -> opened.health().healthy());
        return opened;
    }

    private static void standStill(Duration beyond) {
        long end = System.nanoTime() + beyond.plusMillis(20).toNanos();
        while (System.nanoTime() - end < 0) {
            LockSupport.parkNanos(end - System.nanoTime());
        }
    }

    @Test
    void remembersUntilTheEndAlsoBeyond30Days() {
        Instant begun = Instant.now();
        Redemption brief = tokens.next(Duration.ofSeconds(60));
        Redemption lasting = tokens.next(Duration.ofDays(60));
        LOOPS.spend(ledger, brief);
        LOOPS.spend(ledger, lasting);

        long first = MemcachedText.secondsLeft(MEMCACHED.server(), "test", brief.key());
        long second = MemcachedText.secondsLeft(MEMCACHED.server(), "test", lasting.key());
        long gone = Duration.between(begun, Instant.now()).toSeconds();
        assertThat(first).isBetween(60 - gone, 63L);
        long days = Duration.ofDays(60).toSeconds();
        assertThat(second).isBetween(days - gone, days + 3);
    }

    @Test
    void letsTheServerForgetAfterTheEnd() {
        Redemption token = tokens.next(Duration.ofSeconds(4));
        LOOPS.spend(ledger, token);
        assertThat(MemcachedText.holds(MEMCACHED.server(), "test", token.key())).isTrue();

        Awaitility.await()
                .untilAsserted(() -> assertThat(MemcachedText.holds(MEMCACHED.server(), "test", token.key()))
                        .isFalse());
    }

    @Test
    void hasNoThreadsButTheLibrarysInputOutputAndItsOwn() {
        for (int i = 0; i < 2_000; i++) {
            LOOPS.begin(ledger, tokens.next());
        }
        LOOPS.spend(ledger, tokens.next());

        assertThat(Thread.getAllStackTraces().keySet())
                .extracting(Thread::getName)
                .noneMatch(name -> name.contains("FutureNotifyListener") || name.contains("Transcode"));
    }

    @Test
    void hasNagleOff() throws IOException {
        MemcachedServer server = ((MemcachedLedger) ledger).servers().link(0, new byte[16], LOOPS.next());
        MemcachedConnection connection = server.readyPipe();

        assertThat(connection).isNotNull();
        assertThat(connection.tcpNoDelay()).isTrue();
    }

    @Test
    void usesAllItsConnections() {
        LedgerSettings three = Patient.of(Patient.servers(client(), List.of(MEMCACHED.address()), 1, 3, List.of()));
        int before = MemcachedText.connections(MEMCACHED.server());
        try (SpendLedger wide = SpendLedgers.open(
                three, new LedgerEnvironment("test", new SimpleMeterRegistry(), clock(), LOOPS.all()))) {
            assertThat(MemcachedText.connections(MEMCACHED.server()) - before).isEqualTo(3);
            for (int i = 0; i < 100; i++) {
                Redemption token = tokens.next();
                assertThat(LOOPS.spend(wide, token)).isEqualTo(SpendResult.FRESH);
                assertThat(LOOPS.spend(ledger, token)).isEqualTo(SpendResult.SPENT);
            }
        }
    }
}
