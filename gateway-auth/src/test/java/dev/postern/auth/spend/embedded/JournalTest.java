package dev.postern.auth.spend.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postern.auth.spend.PendingSpend;
import dev.postern.auth.spend.SpendResult;
import dev.postern.auth.spend.store.EventLoopDeadlines;
import dev.postern.core.testing.LogLines;
import dev.postern.core.testing.ManualClock;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.util.concurrent.MockTicker;
import io.netty.util.concurrent.Ticker;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class JournalTest {

    private static final Instant NOW = Instant.parse("2026-11-20T10:00:00Z");
    private static final long END = NOW.plusSeconds(60).toEpochMilli();

    private final ManualClock clock = new ManualClock(NOW);
    private final EmbeddedChannel channel = new EmbeddedChannel();
    private final TestDisk disk = new TestDisk();
    private final List<String> found = new ArrayList<>();

    @TempDir
    Path folder;

    @AfterEach
    void close() {
        channel.finishAndReleaseAll();
    }

    @Test
    void writesQueuedRecordsBeforeItCloses() throws IOException {
        Journal journal = open();
        for (int i = 0; i < 20_000; i++) {
            journal.refund(END, i, 7);
        }
        journal.close();

        assertThat(Files.size(file(END))).as("each once").isEqualTo(32 + 20_000 * 24L);
        open().close();
        assertThat(found).hasSize(20_000);
        assertThat(found.get(0)).isEqualTo(END + " 0 7 REFUNDED");
        assertThat(found.get(19_999)).isEqualTo(END + " 19999 7 REFUNDED");
    }

    @Test
    void writesNothingTwice() throws Exception {
        try (Journal journal = open()) {
            for (int i = 0; i < 3; i++) {
                assertThat(spend(journal, END, i)).isEqualTo(SpendResult.FRESH);
            }
        }
        assertThat(Files.size(file(END))).isEqualTo(32 + 3 * 24L);
    }

    @Test
    void limitsQueuedRecords() throws Exception {
        disk.forces.drainPermits();
        try (Journal journal = open()) {
            journal.refund(END, 0, 0);
            // Its first force is that of the new file; until it returns, no further record is taken.
            disk.forcing.acquire();
            for (int i = 1; i < Journal.MAX_WAITING; i++) {
                journal.refund(END, i, 0);
            }
            assertThat(journal.enter()).isTrue();

            journal.refund(END, Journal.MAX_WAITING, 0);
            assertThat(journal.enter()).isFalse();

            disk.forces.release(1_000);
            while (!journal.enter()) {
                Thread.onSpinWait();
            }
        }
    }

    @Test
    void refusesForAWhileAfterADiskErrorAndThenTriesAgain() throws Exception {
        try (Journal journal = open()) {
            assertThat(journal.trouble()).isNull();
            disk.full = true;
            do {
                assertThat(spend(journal, END, 1)).isEqualTo(SpendResult.UNKNOWN);
            } while (journal.enter());
            assertThat(journal.trouble()).isEqualTo("journal can't be written: planted: disk full");

            while (!journal.enter()) {
                Thread.onSpinWait();
            }
            assertThat(journal.trouble())
                    .as("the next write has not happened yet")
                    .isNotNull();
            disk.full = false;
            assertThat(spend(journal, END, 1)).isEqualTo(SpendResult.FRESH);
            assertThat(journal.trouble()).isNull();
        }
    }

    @Test
    void refusesForHalfASecondAfterADiskErrorAndLogsOneLine() throws Exception {
        MockTicker ticker = Ticker.newMockTicker();
        disk.full = true;
        try (LogLines log = new LogLines(Journal.class);
                Journal journal = open(ticker)) {
            assertThat(spend(journal, END, 1)).isEqualTo(SpendResult.UNKNOWN);
            ticker.advance(500, TimeUnit.MILLISECONDS);
            assertThat(journal.enter()).isFalse();
            ticker.advance(1, TimeUnit.NANOSECONDS);
            assertThat(journal.enter()).isTrue();

            assertThat(spend(journal, END, 2)).isEqualTo(SpendResult.UNKNOWN);
            assertThat(journal.enter()).as("from the last error").isFalse();
            assertThat(log.lines())
                    .containsExactly(
                            "journal " + folder + ": planted: disk full; spends are unknown until it can be written");

            disk.full = false;
            assertThat(spend(journal, END, 3)).isEqualTo(SpendResult.FRESH);
            assertThat(log.lines()).hasSize(2).last().isEqualTo("journal " + folder + ": the disk takes writes again");
        }
    }

    @Test
    void closesItsFiles() throws Exception {
        FileChannel file;
        try (Journal journal = open()) {
            assertThat(spend(journal, END, 1)).isEqualTo(SpendResult.FRESH);
            file = Objects.requireNonNull(disk.last);
            assertThat(file.isOpen()).isTrue();
        }

        assertThat(file.isOpen()).isFalse();
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void aFolderStaysLockedThoughThisProcessWantedItTwice() throws IOException {
        try (Journal journal = open()) {
            assertThat(journal.trouble()).isNull();
            assertThatThrownBy(this::open).hasMessageContaining("in use by another gateway");

            Object inode = Files.getAttribute(folder.resolve("lock"), "unix:ino");
            assertThat(Files.readAllLines(Path.of("/proc/locks"))).anyMatch(line -> line.contains(":" + inode + " "));
            assertThat(OpenFiles.of(folder)).as("no other file").containsOnly("lock");
        }
    }

    @Test
    void deletesAFileAtItsEndAndCanCreateItAgain() throws Exception {
        try (Journal journal = open()) {
            assertThat(spend(journal, END, 1)).isEqualTo(SpendResult.FRESH);
            clock.advance(Duration.ofSeconds(60));
            while (Files.exists(file(END))) {
                Thread.onSpinWait();
            }

            assertThat(spend(journal, END, 2)).isEqualTo(SpendResult.FRESH);
            assertThat(journal.trouble()).isNull();
        }
    }

    @Test
    void readsNothingOfAFileAtItsEnd() {
        try (Journal journal = open()) {
            journal.refund(END, 1, 2);
            journal.refund(END + 1, 3, 4);
        }
        clock.advance(Duration.ofSeconds(60));

        open().close();

        assertThat(found).containsExactly(END + 1 + " 3 4 REFUNDED");
        assertThat(file(END)).doesNotExist();
    }

    @Test
    void releasesAFolderThatItCouldNotRead() throws IOException {
        Files.write(file(END), new byte[100]);
        assertThatThrownBy(this::open).isInstanceOf(JournalException.class).hasMessageContaining("no journal");
        Files.delete(file(END));
        Files.createDirectory(file(END));
        assertThatThrownBy(this::open)
                .isInstanceOf(JournalException.class)
                .hasMessageEndingWith("(expected: a folder that can be written to)");
        Files.delete(file(END));

        open().close();
    }

    @Test
    void reportsThatAFolderCannotBeCreated() throws IOException {
        Path plain = Files.createFile(folder.resolve("plain"));

        assertThatThrownBy(() -> Journal.open(
                        plain.resolve("journal"), "shop", clock, Ticker.systemTicker(), disk, (time, entry) -> {}))
                .isInstanceOf(JournalException.class)
                .hasMessageEndingWith("(expected: a folder that can be written to)");
    }

    @Test
    void refusesAnInvalidEpoch() throws IOException {
        Files.write(folder.resolve("epoch"), new byte[15]);

        assertThatThrownBy(this::open)
                .isInstanceOf(JournalException.class)
                .hasMessageEndingWith("15 bytes (expected: 16)");
    }

    @Test
    void ownsItsEpoch() {
        byte[] epoch;
        try (Journal journal = open()) {
            epoch = journal.epoch();
            assertThat(epoch).hasSize(16);
            journal.epoch()[0]++;
            assertThat(journal.epoch()).isEqualTo(epoch);
        }
        try (Journal journal = open()) {
            assertThat(journal.epoch()).isEqualTo(epoch);
        }
    }

    @Test
    void usesDaemonThreadsAndKeepsTheInterruptOfTheClosingThread() {
        Journal journal = open();
        assertThat(Thread.getAllStackTraces().keySet())
                .filteredOn(thread -> thread.getName().equals("postern-journal"))
                .isNotEmpty()
                .allMatch(Thread::isDaemon);

        Thread.currentThread().interrupt();
        journal.close();

        assertThat(Thread.interrupted()).isTrue();
    }

    private Journal open() {
        return open(Ticker.systemTicker());
    }

    private Journal open(Ticker ticker) {
        found.clear();
        return Journal.open(
                folder,
                "shop",
                clock,
                ticker,
                disk,
                (time, entry) -> found.add(time + " " + entry.high() + " " + entry.low() + " " + entry.kind()));
    }

    private SpendResult spend(Journal journal, long forgetAt, long key) throws Exception {
        CompletableFuture<PendingSpend> future = new CompletableFuture<>();
        long deadline = Ticker.systemTicker().nanoTime() + TimeUnit.HOURS.toNanos(1);
        EventLoopDeadlines deadlines = new EventLoopDeadlines(channel.eventLoop());
        journal.add(
                forgetAt, key, 0, new JournaledSpend(new byte[16], forgetAt, deadlines, deadline, future::complete));
        while (!future.isDone()) {
            channel.runPendingTasks();
        }
        return future.get().result();
    }

    private Path file(long forgetAt) {
        return folder.resolve(forgetAt + JournalFile.SUFFIX);
    }

    /** Real disk that can be made to block or to be full. */
    private static final class TestDisk implements JournalStorage {

        private final Semaphore forces = new Semaphore(1 << 20);
        private final Semaphore forcing = new Semaphore(0);
        private volatile boolean full;
        private volatile @Nullable FileChannel last;

        @Override
        public void write(FileChannel file, ByteBuffer bytes) throws IOException {
            last = file;
            if (full) {
                throw new IOException("planted: disk full");
            }
            JournalStorage.REAL.write(file, bytes);
        }

        @Override
        public void force(FileChannel file) throws IOException {
            forcing.release();
            forces.acquireUninterruptibly();
            JournalStorage.REAL.force(file);
        }
    }
}
