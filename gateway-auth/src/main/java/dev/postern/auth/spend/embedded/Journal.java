package dev.postern.auth.spend.embedded;

import dev.postern.auth.spend.embedded.JournalFormat.Entry;
import dev.postern.auth.spend.embedded.JournalFormat.Kind;
import dev.postern.core.transport.FailureText;
import io.netty.util.concurrent.Ticker;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Journal of the embedded ledger, for spends that outlive the process: a folder with one file per time at which tokens may be forgotten.
 *
 * <p>The journal's thread takes all waiting records as one batch, writes the batch, waits until the batch survives a loss of power, and
 * only then completes the spends. So one wait for the disk serves all records that arrived during the wait before. {@link #enter} and
 * {@link #add} are called on event loops and don't block.
 */
final class Journal implements AutoCloseable {

    /** Maximum number of records in one batch. */
    static final int MAX_AT_ONCE = 4096;

    /** Maximum number of spends that wait for the disk; further spends are UNKNOWN. */
    static final int MAX_WAITING = 16_384;

    private static final Logger LOG = LoggerFactory.getLogger(Journal.class);
    private static final long CHECK_MILLIS = 500;
    private static final long RETRY_NANOS = TimeUnit.MILLISECONDS.toNanos(500);
    private static final long CLOSE_MILLIS = 5_000;
    private static final int EPOCH_LENGTH = 16;

    private final Path folder;
    private final String namespace;
    private final InstantSource clock;
    private final Ticker ticker;
    private final JournalStorage storage;
    private final FileChannel lock;
    private final byte[] epoch;
    private final Map<Long, JournalFile> files = new HashMap<>();
    private final BlockingQueue<Written> waiting = new LinkedBlockingQueue<>();
    private final Thread writer = new Thread(this::work, "postern-journal");
    private volatile @Nullable String trouble;
    private volatile long troubleAt;
    private volatile boolean closed;

    /** Reader that is called with each record when the journal is opened. */
    @FunctionalInterface
    interface Reader {

        void found(long forgetAt, Entry entry);
    }

    private record Written(
            long forgetAt, Entry entry, @Nullable JournaledSpend spend) {}

    private Journal(Path folder, String namespace, InstantSource clock, Ticker ticker, JournalStorage storage)
            throws IOException {
        this.folder = folder;
        this.namespace = namespace;
        this.clock = clock;
        this.ticker = ticker;
        this.storage = storage;
        this.lock = lock(folder);
        this.epoch = keptEpoch(folder);
    }

    /**
     * Opens or creates the folder and reads its files. Throws {@link JournalException} when the folder can't be used.
     *
     * @param reader called with each record that may not be forgotten yet, per file in the order of writing
     */
    static Journal open(
            Path folder, String namespace, InstantSource clock, Ticker ticker, JournalStorage storage, Reader reader) {
        Journal journal = null;
        try {
            Files.createDirectories(
                    folder, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
            journal = new Journal(folder, namespace, clock, ticker, storage);
            journal.read(reader);
            journal.writer.setDaemon(true);
            journal.writer.start();
            return journal;
        } catch (IOException e) {
            closeAfter(journal);
            throw new JournalException(folder, e + " (expected: a folder that can be written to)", e);
        } catch (RuntimeException e) {
            closeAfter(journal);
            throw e;
        }
    }

    /** Returns the epoch, which is constant as long as the folder exists. The caller owns the array. */
    byte[] epoch() {
        return epoch.clone();
    }

    /** Returns whether the journal takes one more spend: the queue is not full, and the last write did not fail within 500 ms. */
    boolean enter() {
        boolean tryAgain = trouble == null || ticker.nanoTime() - troubleAt > RETRY_NANOS;
        return tryAgain && waiting.size() < MAX_WAITING;
    }

    /** Writes a spend and calls {@link JournaledSpend#written}. Records are written in the order of the calls. From any thread. */
    void add(long forgetAt, long high, long low, JournaledSpend spend) {
        waiting.add(new Written(forgetAt, new Entry(high, low, Kind.SPENT), spend));
    }

    /** Writes a refund, without a guarantee of the time. */
    void refund(long forgetAt, long high, long low) {
        waiting.add(new Written(forgetAt, new Entry(high, low, Kind.REFUNDED), null));
    }

    /** Returns the last error of the disk as a text for the operator; null after a successful write. */
    @Nullable
    String trouble() {
        return trouble;
    }

    @Override
    public void close() {
        closed = true;
        try {
            if (writer.isAlive()) {
                writer.join(CLOSE_MILLIS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        for (JournalFile file : files.values()) {
            closeQuietly(file);
        }
        closeQuietly(lock);
    }

    private void read(Reader reader) throws IOException {
        long now = clock.millis();
        List<Path> found;
        try (Stream<Path> names = Files.list(folder)) {
            found = names.filter(name -> name.toString().endsWith(JournalFile.SUFFIX))
                    .sorted()
                    .toList();
        }
        for (Path path : found) {
            List<Entry> entries = new ArrayList<>();
            JournalFile file = JournalFile.open(path, namespace, MAX_AT_ONCE * JournalFormat.RECORD, entries::add);
            if (file == null) {
                continue;
            }
            if (file.forgetAt() <= now) {
                file.delete();
                continue;
            }
            files.put(file.forgetAt(), file);
            entries.forEach(entry -> reader.found(file.forgetAt(), entry));
        }
    }

    private void work() {
        List<Written> batch = new ArrayList<>(MAX_AT_ONCE);
        while (!closed || !waiting.isEmpty()) {
            try {
                Written first = waiting.poll(CHECK_MILLIS, TimeUnit.MILLISECONDS);
                if (first != null) {
                    batch.add(first);
                    waiting.drainTo(batch, MAX_AT_ONCE - 1);
                    write(batch);
                    batch.clear();
                }
                forget();
            } catch (InterruptedException e) {
                return;
            }
        }
    }

    private void write(List<Written> batch) {
        Map<Long, List<Written>> byFile = new HashMap<>();
        for (Written one : batch) {
            byFile.computeIfAbsent(one.forgetAt, at -> new ArrayList<>()).add(one);
        }
        byFile.forEach((forgetAt, those) -> {
            boolean good = write(forgetAt, those.stream().map(Written::entry).toList());
            for (Written one : those) {
                if (one.spend != null) {
                    one.spend.written(good);
                }
            }
        });
    }

    private boolean write(long forgetAt, List<Entry> entries) {
        try {
            JournalFile file = files.get(forgetAt);
            if (file == null) {
                file = JournalFile.create(folder, forgetAt, namespace, storage);
                files.put(forgetAt, file);
            }
            file.append(entries);
            if (trouble != null) {
                LOG.warn("journal {}: the disk takes writes again", folder);
                trouble = null;
            }
            return true;
        } catch (IOException e) {
            if (trouble == null) {
                LOG.error("journal {}: {}; spends are unknown until it can be written", folder, FailureText.of(e));
            }
            troubleAt = ticker.nanoTime();
            trouble = "journal can't be written: " + FailureText.of(e);
            return false;
        }
    }

    private void forget() {
        long now = clock.millis();
        files.values().removeIf(file -> {
            if (file.forgetAt() > now) {
                return false;
            }
            try {
                file.delete();
            } catch (IOException e) {
                LOG.warn("journal {}: a file that may be forgotten can't be deleted: {}", folder, FailureText.of(e));
            }
            return true;
        });
    }

    private static FileChannel lock(Path folder) throws IOException {
        FileChannel channel =
                FileChannel.open(folder.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        try {
            if (channel.tryLock() != null) {
                return channel;
            }
            channel.close();
        } catch (OverlappingFileLockException e) {
            // Stays open: POSIX ends all locks of a process on a file when it closes any descriptor of the file, so
            // closing this one would end the lock of the ledger that has the folder.
            LOG.debug("held by this process", e);
        }
        throw new JournalException(
                folder, "in use by another gateway (expected: a folder of its own for each gateway)");
    }

    private static byte[] keptEpoch(Path folder) throws IOException {
        Path file = folder.resolve("epoch");
        if (Files.exists(file)) {
            byte[] kept = Files.readAllBytes(file);
            if (kept.length != EPOCH_LENGTH) {
                throw new JournalException(file, kept.length + " bytes (expected: " + EPOCH_LENGTH + ")");
            }
            return kept;
        }
        byte[] random = new byte[EPOCH_LENGTH];
        new SecureRandom().nextBytes(random);
        Path fresh = folder.resolve("epoch.new");
        try (FileChannel channel = FileChannel.open(
                fresh, StandardOpenOption.CREATE, StandardOpenOption.TRUNCATE_EXISTING, StandardOpenOption.WRITE)) {
            JournalStorage.REAL.write(channel, ByteBuffer.wrap(random));
            JournalStorage.REAL.force(channel);
        }
        Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE);
        JournalFile.forceFolder(folder);
        return random;
    }

    private static void closeAfter(@Nullable Journal journal) {
        if (journal != null) {
            journal.close();
        }
    }

    private static void closeQuietly(AutoCloseable closeable) {
        try {
            closeable.close();
        } catch (Exception e) {
            LOG.debug("closing the journal", e);
        }
    }
}
