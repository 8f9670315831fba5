package dev.postern.auth.spend.memcached;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.auth.SpendLedgers;
import dev.postern.auth.spend.LedgerEnvironment;
import dev.postern.auth.spend.LedgerSettings;
import dev.postern.auth.spend.LedgerSettings.Client;
import dev.postern.auth.spend.PendingSpend;
import dev.postern.auth.spend.Redemption;
import dev.postern.auth.spend.SharedLedgerContract;
import dev.postern.auth.spend.SpendEventLoops;
import dev.postern.auth.spend.SpendLedger;
import dev.postern.auth.spend.SpendResult;
import dev.postern.auth.spend.memcached.command.GetsCommand;
import dev.postern.auth.spend.memcached.command.MemcachedEncoding;
import dev.postern.core.testing.MemcachedExtension;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.netty.channel.EventLoop;
import io.netty.util.concurrent.Ticker;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class MemcachedLedgerIT extends SharedLedgerContract {

    @RegisterExtension
    static final MemcachedExtension MEMCACHED = new MemcachedExtension();

    private static final Duration BRIEF = Duration.ofMillis(500);

    /** Returns the client of this suite. */
    protected Client client() {
        return Client.SPYMEMCACHED;
    }

    @Override
    protected LedgerSettings settings(Duration deadline) {
        return MemcachedTestSettings.of(client(), deadline, MEMCACHED.address());
    }

    @Test
    void doesNotCountItsOwnPauseAsSilenceOfTheServer() {
        try (SpendLedger patient = open(Duration.ofSeconds(10))) {
            assertThat(LOOPS.spendDuringPause(patient, tokens)).containsOnlyKeys(SpendResult.FRESH);
        }
    }

    /** The event loop is blocked from before the spend is sent until after its deadline. */
    @Test
    void extendsTheDeadlineByAPauseOfTheLoop() {
        try (SpendLedger brief = open(BRIEF)) {
            Redemption token = tokens.issuedBy(brief);
            EventLoop loop = LOOPS.next();
            CompletableFuture<PendingSpend> response = new CompletableFuture<>();
            loop.execute(() -> {
                brief.spend(token, loop, response::complete);
                pause(BRIEF);
            });

            assertThat(SpendEventLoops.await(response).result()).isEqualTo(SpendResult.FRESH);
        }
    }

    /** The reading thread is blocked until after the deadline of a spend that is in flight. */
    @Test
    void extendsTheDeadlineByAPauseOfTheConnectionsThread() {
        try (SpendLedger brief = open(BRIEF)) {
            Redemption token = tokens.issuedBy(brief);
            EventLoop loop = LOOPS.next();
            CompletableFuture<PendingSpend> response = new CompletableFuture<>();
            loop.execute(() -> {
                MemcachedConnection connection = Objects.requireNonNull(((MemcachedLedger) brief)
                        .servers()
                        .handle(0, token.key(), loop)
                        .readyConnection());
                long later =
                        Ticker.systemTicker().nanoTime() + Duration.ofMinutes(1).toNanos();
                connection.send(
                        new GetsCommand(MemcachedEncoding.gets(new byte[] {'x'}), later, shown -> pause(BRIEF)));
                brief.spend(token, loop, response::complete);
            });

            assertThat(SpendEventLoops.await(response).result()).isEqualTo(SpendResult.FRESH);
        }
    }

    private static void pause(Duration beyond) {
        long end = Ticker.systemTicker().nanoTime() + beyond.plusMillis(20).toNanos();
        while (Ticker.systemTicker().nanoTime() - end < 0) {
            LockSupport.parkNanos(end - Ticker.systemTicker().nanoTime());
        }
    }

    @Test
    void keepsSpendsUntilTheirEndAlsoBeyond30Days() {
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
    void setsAnExpiryForTheServer() {
        Redemption token = tokens.next(Duration.ofSeconds(4));
        LOOPS.spend(ledger, token);
        assertThat(MemcachedText.holds(MEMCACHED.server(), "test", token.key())).isTrue();

        Awaitility.await()
                .untilAsserted(() -> assertThat(MemcachedText.holds(MEMCACHED.server(), "test", token.key()))
                        .isFalse());
    }

    @Test
    void hasOnlyTheThreadsOfTheLibraryAndItsOwn() {
        for (int i = 0; i < 2_000; i++) {
            LOOPS.begin(ledger, tokens.next());
        }
        LOOPS.spend(ledger, tokens.next());

        assertThat(Thread.getAllStackTraces().keySet())
                .extracting(Thread::getName)
                .noneMatch(name -> name.contains("FutureNotifyListener") || name.contains("Transcode"));
    }

    @Test
    void setsTcpNoDelay() throws IOException {
        MemcachedServer server = ((MemcachedLedger) ledger).servers().handle(0, new byte[16], LOOPS.next());
        MemcachedConnection connection = server.readyConnection();

        assertThat(connection).isNotNull();
        assertThat(connection.tcpNoDelay()).isTrue();
    }

    @Test
    void usesAllItsConnections() {
        LedgerSettings three = MemcachedTestSettings.of(
                MemcachedTestSettings.servers(client(), List.of(MEMCACHED.address()), 1, 3, List.of()));
        int acceptedBefore = MemcachedText.acceptedConnections(MEMCACHED.server());
        try (SpendLedger wide = SpendLedgers.open(
                three,
                new LedgerEnvironment(
                        "test", new SimpleMeterRegistry(), clock(), Ticker.systemTicker(), LOOPS.all()))) {
            assertThat(MemcachedText.acceptedConnections(MEMCACHED.server()) - acceptedBefore)
                    .as("with the one that asks")
                    .isEqualTo(3 + 1);
            for (int i = 0; i < 100; i++) {
                Redemption token = tokens.next();
                assertThat(LOOPS.spend(wide, token)).isEqualTo(SpendResult.FRESH);
                assertThat(LOOPS.spend(ledger, token)).isEqualTo(SpendResult.SPENT);
            }
        }
    }
}
