package dev.postern.auth.spend.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

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
import io.netty.util.concurrent.Ticker;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JournaledLedgerTest extends SpendLedgerContract {

    private static final Duration PATIENT = Duration.ofSeconds(10);

    private final ManualClock clock = new ManualClock(Instant.parse("2026-11-20T10:00:30Z"));
    private final TestDisk disk = new TestDisk();

    @TempDir
    Path folder;

    @Override
    protected SpendLedger open(MeterRegistry registry, InstantSource source) {
        return open(PATIENT, registry, source);
    }

    private SpendLedger open(Duration deadline, MeterRegistry registry, InstantSource source) {
        LedgerSettings settings = KeyDefaults.of(
                LedgerSettings.class,
                Map.of("deadline", deadline, "embedded", new LedgerSettings.Embedded(ByteSize.of("1MiB"), folder)));
        return EmbeddedLedger.open(
                settings, new LedgerEnvironment("test", registry, source, Ticker.systemTicker(), LOOPS.all()), disk);
    }

    @Override
    protected InstantSource clock() {
        return clock;
    }

    @Override
    protected void awaitRefund(int count) {
        assertThat(events("given-back")).isEqualTo(count);
    }

    private void restart() {
        ledger.close();
        ledger = open(registry, clock);
    }

    @Test
    void keepsSpendsAndEpochAcrossARestart() {
        byte[] epoch = ledger.epoch();
        List<Redemption> spent = new ArrayList<>();
        for (int i = 0; i < 500; i++) {
            spent.add(tokens.issuedBy(ledger));
        }
        List<Redemption> fresh = List.of(tokens.issuedBy(ledger), tokens.issuedBy(ledger));
        spent.stream().map(token -> LOOPS.begin(ledger, token)).toList().forEach(SpendEventLoops::await);

        restart();

        assertThat(ledger.epoch()).isEqualTo(epoch);
        assertThat(spent)
                .allSatisfy(token -> assertThat(LOOPS.spend(ledger, token)).isEqualTo(SpendResult.SPENT));
        assertThat(fresh)
                .allSatisfy(token -> assertThat(LOOPS.spend(ledger, token)).isEqualTo(SpendResult.FRESH));
    }

    @Test
    void keepsRefundsAcrossARestart() {
        Redemption token = tokens.next();
        Redemption twice = tokens.next();
        LOOPS.refund(ledger, LOOPS.attempt(ledger, token));
        LOOPS.refund(ledger, LOOPS.attempt(ledger, twice));
        assertThat(LOOPS.spend(ledger, twice)).isEqualTo(SpendResult.FRESH);

        restart();

        assertThat(LOOPS.spend(ledger, token)).isEqualTo(SpendResult.FRESH);
        assertThat(LOOPS.spend(ledger, twice)).isEqualTo(SpendResult.SPENT);
    }

    @Test
    void aRefundKeepsALaterSpendInAnotherFile() {
        // The end counts from the spend, as for keys without dates: another spend has another end and another file.
        Redemption late = tokens.next(Duration.ofMinutes(90));
        LOOPS.refund(ledger, LOOPS.attempt(ledger, late));
        Redemption early = new Redemption(late.key(), clock.instant().plus(Duration.ofMinutes(10)));
        assertThat(LOOPS.spend(ledger, early)).isEqualTo(SpendResult.FRESH);
        assertThat(files()).hasSize(2);

        restart();

        assertThat(LOOPS.spend(ledger, late)).isEqualTo(SpendResult.SPENT);
    }

    @Test
    void roundsDistantEndsToFewFiles() {
        for (int i = 0; i < 2_000; i++) {
            LOOPS.begin(ledger, tokens.next(Duration.ofDays(30).plusMinutes(i)));
        }
        Redemption last = tokens.next(Duration.ofDays(30));
        assertThat(LOOPS.spend(ledger, last)).isEqualTo(SpendResult.FRESH);

        assertThat(files()).hasSizeLessThan(5);
        for (long minutes = 1; minutes < 100_000; minutes += 7) {
            long now = clock.millis();
            long end = now + Duration.ofMinutes(minutes).toMillis();
            assertThat(EmbeddedLedger.forgetAt(end, now) - end)
                    .isBetween(1L, Duration.ofMinutes(1 + minutes / 16).toMillis());
        }
    }

    @Test
    void isFreshOnlyOnceTheDiskHasStoredIt() {
        disk.forces.drainPermits();
        CompletableFuture<PendingSpend> first = LOOPS.begin(ledger, tokens.next());
        Awaitility.await().until(() -> disk.waiting);
        assertThat(first).isNotDone();

        disk.forces.release(1_000);

        assertThat(SpendEventLoops.await(first).result()).isEqualTo(SpendResult.FRESH);
    }

    @Test
    void writesSpendsThatArriveMeanwhileInOneBatch() {
        LOOPS.spend(ledger, tokens.next());
        disk.forces.drainPermits();
        CompletableFuture<PendingSpend> first = LOOPS.begin(ledger, tokens.next());
        Awaitility.await().until(() -> disk.waiting);
        List<CompletableFuture<PendingSpend>> others = new ArrayList<>();
        for (int i = 0; i < 1_000; i++) {
            others.add(LOOPS.begin(ledger, tokens.next()));
        }
        SpendEventLoops.await(CompletableFuture.allOf(LOOPS.all().stream()
                .map(loop -> CompletableFuture.runAsync(() -> {}, loop))
                .toArray(CompletableFuture[]::new)));

        disk.forces.release(2);

        assertThat(SpendEventLoops.await(first).result()).isEqualTo(SpendResult.FRESH);
        assertThat(others)
                .allSatisfy(
                        one -> assertThat(SpendEventLoops.await(one).result()).isEqualTo(SpendResult.FRESH));
    }

    @Test
    void isUnknownAtItsDeadlineWhenTheDiskBlocksAndNeverFreshAfterwards() {
        ledger.close();
        ledger = open(Duration.ofMillis(50), registry, clock);
        disk.forces.drainPermits();
        Redemption token = tokens.next();

        assertThat(LOOPS.spend(ledger, token)).isEqualTo(SpendResult.UNKNOWN);
        disk.forces.release(1_000);

        assertThat(LOOPS.spend(ledger, token)).isEqualTo(SpendResult.SPENT);
    }

    @Test
    void limitsQueuedSpends() {
        disk.forces.drainPermits();
        List<CompletableFuture<PendingSpend>> begun = new ArrayList<>();
        for (int i = 0; i < Journal.MAX_WAITING + 3 * Journal.MAX_AT_ONCE; i++) {
            begun.add(LOOPS.begin(ledger, tokens.next()));
        }
        Awaitility.await().until(() -> begun.stream().anyMatch(CompletableFuture::isDone));
        disk.forces.release(1_000);

        List<PendingSpend> ended = begun.stream().map(SpendEventLoops::await).toList();

        assertThat(ended).filteredOn(PendingSpend::busy).isNotEmpty();
        assertThat(ended)
                .filteredOn(one -> one.result() == SpendResult.FRESH)
                .hasSizeGreaterThanOrEqualTo(Journal.MAX_WAITING);
    }

    @Test
    void isUnknownWhileTheDiskIsFullAndRecovers() {
        LOOPS.spend(ledger, tokens.next());
        Redemption unlucky = tokens.next();
        disk.full = true;
        PendingSpend spend = LOOPS.attempt(ledger, unlucky);
        assertThat(spend.result()).isEqualTo(SpendResult.UNKNOWN);
        LOOPS.refund(ledger, spend);
        assertThat(ledger.health().healthy()).isFalse();
        assertThat(ledger.health().stores().get("embedded")).contains("journal can't be written: planted: disk full");

        Awaitility.await().until(() -> disk.refused.get() >= 2);
        disk.full = false;

        Awaitility.await()
                .untilAsserted(
                        () -> assertThat(LOOPS.spend(ledger, tokens.next())).isEqualTo(SpendResult.FRESH));
        assertThat(ledger.health().healthy()).isTrue();
        assertThat(LOOPS.spend(ledger, unlucky)).isEqualTo(SpendResult.FRESH);
        restart();
        assertThat(LOOPS.spend(ledger, unlucky)).isEqualTo(SpendResult.SPENT);
    }

    @Test
    void deletesExpiredFiles() {
        LOOPS.spend(ledger, tokens.next(Duration.ofMinutes(1)));
        Redemption lasting = tokens.next(Duration.ofMinutes(30));
        LOOPS.spend(ledger, lasting);
        assertThat(files()).hasSize(2);

        clock.advance(Duration.ofMinutes(3));

        Awaitility.await().untilAsserted(() -> assertThat(files()).hasSize(1));
        assertThat(LOOPS.spend(ledger, lasting)).isEqualTo(SpendResult.SPENT);
        ledger.close();
        clock.advance(Duration.ofHours(1));
        ledger = open(registry, clock);
        assertThat(files()).isEmpty();
    }

    @Test
    void belongsToOneGatewayOnly() {
        assertThatThrownBy(() -> open(registry, clock))
                .isInstanceOf(JournalException.class)
                .hasMessageContaining(folder.toString())
                .hasMessageContaining("in use by another gateway");
    }

    @Test
    void startsEmptyWhenTheFolderWasDeleted() throws IOException {
        byte[] epoch = ledger.epoch();
        ledger.close();
        try (Stream<Path> all = Files.list(folder)) {
            for (Path each : all.toList()) {
                Files.delete(each);
            }
        }

        ledger = open(registry, clock);

        assertThat(ledger.epoch()).isNotEqualTo(epoch);
    }

    private List<Path> files() {
        try (Stream<Path> all = Files.list(folder)) {
            return all.filter(name -> name.toString().endsWith(JournalFile.SUFFIX))
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Real disk that can be made to block or to be full. */
    private static final class TestDisk implements JournalStorage {

        private final Semaphore forces = new Semaphore(1 << 20);
        private volatile boolean waiting;
        private volatile boolean full;
        private final AtomicInteger refused = new AtomicInteger();

        @Override
        public void write(FileChannel file, ByteBuffer bytes) throws IOException {
            if (full) {
                refused.incrementAndGet();
                throw new IOException("planted: disk full");
            }
            JournalStorage.REAL.write(file, bytes);
        }

        @Override
        public void force(FileChannel file) throws IOException {
            waiting = true;
            forces.acquireUninterruptibly();
            waiting = false;
            JournalStorage.REAL.force(file);
        }
    }
}
