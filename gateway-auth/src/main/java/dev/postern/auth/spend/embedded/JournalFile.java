package dev.postern.auth.spend.embedded;

import dev.postern.auth.spend.embedded.JournalFormat.Entry;
import dev.postern.auth.spend.embedded.JournalFormat.Header;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Journal file of all tokens that may be forgotten at the same time. Not thread-safe. */
final class JournalFile implements AutoCloseable {

    static final String SUFFIX = ".spent";

    private static final FileAttribute<?> OURS_ALONE =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));

    private static final int CHUNK = 32 * 1024 * JournalFormat.RECORD;

    /** Maximum number of kept records behind a bad one. More than a batch: a file with more is refused anyway. */
    private static final int MAX_AFTER = 64 * 1024;

    private final Path path;
    private final FileChannel channel;
    private final Header header;
    private final JournalStorage storage;
    private long good;
    private boolean doubtful;

    private JournalFile(Path path, FileChannel channel, Header header, JournalStorage storage, long good) {
        this.path = path;
        this.channel = channel;
        this.header = header;
        this.storage = storage;
        this.good = good;
    }

    /** Creates a file that survives a loss of power. */
    static JournalFile create(Path folder, long forgetAt, String namespace, JournalStorage storage) throws IOException {
        Path path = folder.resolve(forgetAt + SUFFIX);
        FileChannel channel =
                FileChannel.open(path, Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE), OURS_ALONE);
        try {
            Header header = new Header(forgetAt, ThreadLocalRandom.current().nextLong());
            storage.write(channel, header.bytes(namespace));
            storage.force(channel);
            forceFolder(folder);
            return new JournalFile(path, channel, header, storage, JournalFormat.HEADER);
        } catch (IOException e) {
            channel.close();
            Files.deleteIfExists(path);
            throw e;
        }
    }

    /**
     * Reads a file and prepares the file for appending. Repairs an incomplete last batch after a loss of power; no spend of that batch was
     * reported as FRESH.
     *
     * @param mostTorn maximum length of a batch in bytes
     * @param found called with each record
     * @return null for a file without a complete header; such a file holds no record and is deleted
     */
    static @Nullable JournalFile open(Path path, String namespace, int mostTorn, Consumer<Entry> found)
            throws IOException {
        FileChannel channel = FileChannel.open(path, StandardOpenOption.READ, StandardOpenOption.WRITE);
        try {
            ByteBuffer start = read(channel, 0, JournalFormat.HEADER);
            if (channel.size() <= JournalFormat.HEADER && !Header.whole(start)) {
                channel.close();
                Files.delete(path);
                return null;
            }
            Header header = Header.read(start, namespace, path);
            Tail tail = tail(channel, header, found);
            long size = channel.size();
            if (size - tail.good > mostTorn) {
                throw new JournalException(
                        path,
                        "the record at byte " + tail.good + " of " + size + " has changed (expected: only the last "
                                + mostTorn
                                + " can be incomplete). Move the whole folder away: then tokens that were asked for"
                                + " before are refused with a fresh challenge. An older copy of it would accept spent tokens");
            }
            JournalFile file = new JournalFile(path, channel, header, JournalStorage.REAL, tail.good);
            file.doubtful = size > tail.good;
            file.append(tail.after);
            return file;
        } catch (IOException | RuntimeException e) {
            channel.close();
            throw e;
        }
    }

    /**
     * Tail of a file.
     *
     * @param good bytes up to the first bad record
     * @param after good records behind the first bad record
     */
    private record Tail(long good, List<Entry> after) {}

    private static Tail tail(FileChannel channel, Header header, Consumer<Entry> found) throws IOException {
        long bad = -1;
        List<Entry> after = new ArrayList<>();
        long time = JournalFormat.HEADER;
        for (ByteBuffer chunk = read(channel, time, CHUNK); chunk.limit() >= JournalFormat.RECORD; ) {
            for (int i = 0; i + JournalFormat.RECORD <= chunk.limit(); i += JournalFormat.RECORD) {
                Entry entry = header.read(chunk, i);
                if (entry == null) {
                    bad = bad < 0 ? time + i : bad;
                    continue;
                }
                found.accept(entry);
                if (bad >= 0 && after.size() < MAX_AFTER) {
                    after.add(entry);
                }
            }
            time += chunk.limit() - chunk.limit() % JournalFormat.RECORD;
            chunk = read(channel, time, CHUNK);
        }
        return new Tail(bad < 0 ? time : bad, after);
    }

    private static ByteBuffer read(FileChannel channel, long from, int max) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate(max);
        int read = 0;
        while (bytes.hasRemaining() && read >= 0) {
            read = channel.read(bytes, from + bytes.position());
        }
        return bytes.flip();
    }

    long forgetAt() {
        return header.forgetAt();
    }

    /** Appends the entries and waits until they survive a loss of power. After an exception, the next call truncates a partial write. */
    void append(List<Entry> entries) throws IOException {
        if (doubtful) {
            channel.truncate(good);
            storage.force(channel);
            doubtful = false;
        }
        if (entries.isEmpty()) {
            return;
        }
        ByteBuffer bytes = ByteBuffer.allocate(entries.size() * JournalFormat.RECORD);
        entries.forEach(entry -> header.write(bytes, entry));
        bytes.flip();
        doubtful = true;
        channel.position(good);
        storage.write(channel, bytes);
        storage.force(channel);
        good += bytes.limit();
        doubtful = false;
    }

    void delete() throws IOException {
        channel.close();
        Files.deleteIfExists(path);
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }

    /** Forces the folder to disk: the name of a new file is part of the folder's content. */
    static void forceFolder(Path folder) throws IOException {
        try (FileChannel names = FileChannel.open(folder, StandardOpenOption.READ)) {
            names.force(true);
        }
    }
}
