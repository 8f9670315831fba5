package dev.postern.auth.spend.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postern.auth.spend.StoreSizing;
import dev.postern.auth.spend.embedded.JournalFormat.Entry;
import dev.postern.auth.spend.embedded.JournalFormat.Kind;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

class JournalFileTest {

    private static final long FORGET_AT = 1_795_000_000_000L;
    private static final int BATCH = 3 * JournalFormat.RECORD;

    @TempDir
    Path folder;

    private Path path;
    private final List<Entry> written = new ArrayList<>();

    @BeforeEach
    void writeTenRecords() throws IOException {
        path = folder.resolve(FORGET_AT + JournalFile.SUFFIX);
        try (JournalFile file = JournalFile.create(folder, FORGET_AT, "shop", JournalStorage.REAL)) {
            for (int i = 0; i < 10; i++) {
                Entry entry = new Entry(i * 31L, -i, i == 7 ? Kind.REFUNDED : Kind.SPENT);
                written.add(entry);
                file.append(List.of(entry));
            }
        }
    }

    @Test
    void readsItsRecordsAndAppendsMore() throws IOException {
        Entry next = new Entry(1, 2, Kind.SPENT);
        assertThat(read(next)).isEqualTo(written);
        written.add(next);

        assertThat(read()).isEqualTo(written);
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(path)))
                .isEqualTo("rw-------");
    }

    @Test
    void truncatesAnIncompleteRecordAtAnyByte() throws IOException {
        byte[] whole = Files.readAllBytes(path);
        for (int cut = 1; cut < JournalFormat.RECORD; cut++) {
            Files.write(path, Arrays.copyOf(whole, whole.length - cut));

            assertThat(read()).isEqualTo(written.subList(0, 9));
            assertThat(Files.size(path)).isEqualTo(whole.length - JournalFormat.RECORD);
        }
    }

    @Test
    void keepsTheValidRecordsOfABatchWrittenOutOfOrder() throws IOException {
        change(record(8), new byte[JournalFormat.RECORD]);
        List<Entry> good = new ArrayList<>(written);
        good.remove(8);

        assertThat(read()).isEqualTo(good);
        assertThat(read()).isEqualTo(good);
        assertThat(Files.size(path)).isEqualTo(record(9));
    }

    @Test
    void ignoresRecordsOfAnotherFile() throws IOException {
        ByteBuffer foreign = ByteBuffer.allocate(JournalFormat.RECORD);
        new JournalFormat.Header(FORGET_AT, 99).write(foreign, new Entry(5, 5, Kind.SPENT));
        Files.write(path, foreign.array(), StandardOpenOption.APPEND);

        assertThat(read()).isEqualTo(written);
    }

    @Test
    void ignoresARecordOfAnUnknownKind() {
        JournalFormat.Header header = new JournalFormat.Header(FORGET_AT, 99);

        assertThat(header.read(recordOfKind(Kind.REFUNDED.ordinal(), 99), 0)).isEqualTo(new Entry(5, 6, Kind.REFUNDED));
        assertThat(header.read(recordOfKind(Kind.values().length, 99), 0)).isNull();
        assertThat(header.read(recordOfKind(-1, 99), 0)).isNull();
    }

    private static ByteBuffer recordOfKind(int kind, long salt) {
        ByteBuffer record = ByteBuffer.allocate(JournalFormat.RECORD);
        record.putLong(5).putLong(6).putInt(kind);
        CRC32C sum = new CRC32C();
        sum.update(ByteBuffer.allocate(Long.BYTES).putLong(0, salt));
        sum.update(record.duplicate().flip());
        return record.putInt((int) sum.getValue());
    }

    @Test
    void needsTheBytesOfTheSizingOnDisk() {
        assertThat(StoreSizing.JOURNAL.bytes()).isGreaterThanOrEqualTo(JournalFormat.RECORD);
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void keepsNoFileOpenThatItDoesNotUse() throws IOException {
        assertThatThrownBy(() -> JournalFile.open(path, "other", BATCH, entry -> {}))
                .isInstanceOf(JournalException.class);
        assertThat(OpenFiles.of(folder)).as("of another namespace").isEmpty();

        Files.write(path, new byte[1]);
        assertThat(JournalFile.open(path, "shop", BATCH, entry -> {})).isNull();
        assertThat(OpenFiles.of(folder)).as("incomplete").isEmpty();
    }

    @Test
    void refusesACorruptRecordBeforeTheLastBatch() throws IOException {
        for (int bit = 0; bit < 8 * JournalFormat.RECORD; bit++) {
            flip(record(2) + bit / 8, 1 << bit % 8);

            assertThatThrownBy(this::read)
                    .isInstanceOf(JournalException.class)
                    .hasMessageContaining(path.toString())
                    .hasMessageContaining("the record at byte " + record(2) + " of " + Files.size(path));

            flip(record(2) + bit / 8, 1 << bit % 8);
        }
        assertThat(read()).isEqualTo(written);
    }

    @Test
    void refusesACorruptHeader() throws IOException {
        for (int offset = 0; offset < JournalFormat.HEADER; offset++) {
            flip(offset, 4);
            assertThatThrownBy(this::read).isInstanceOf(JournalException.class).hasMessageContaining("no journal");
            flip(offset, 4);
        }
    }

    @Test
    void refusesAnotherNamespace() {
        assertThatThrownBy(() -> JournalFile.open(path, "other", BATCH, entry -> {}))
                .isInstanceOf(JournalException.class)
                .hasMessageEndingWith("of another namespace (expected: other)");
    }

    @Test
    void removesAnIncompleteFile() throws IOException {
        for (int length = 0; length <= JournalFormat.HEADER; length++) {
            Files.write(path, new byte[length]);

            assertThat(JournalFile.open(path, "shop", BATCH, entry -> {})).isNull();
            assertThat(path).doesNotExist();
        }
    }

    @Test
    void removesARecordThatWasWrittenPartly() throws IOException {
        HalfDisk disk = new HalfDisk();
        try (JournalFile file = JournalFile.create(folder, 1, "shop", disk)) {
            file.append(written.subList(0, 5));
            disk.broken = true;
            assertThatThrownBy(() -> file.append(written.subList(5, 9))).hasMessage("planted");
            assertThatThrownBy(() -> file.append(written.subList(5, 9))).hasMessage("planted");
            disk.broken = false;
            file.append(written.subList(9, 10));
        }
        List<Entry> found = new ArrayList<>();
        Objects.requireNonNull(JournalFile.open(folder.resolve("1" + JournalFile.SUFFIX), "shop", 0, found::add))
                .close();

        List<Entry> expected = new ArrayList<>(written.subList(0, 5));
        expected.add(written.get(9));
        assertThat(found).isEqualTo(expected);
    }

    @Test
    void forcesItsRecordsBeforeItReturns() throws IOException {
        RecordingDisk disk = new RecordingDisk();
        try (JournalFile file = JournalFile.create(folder, 1, "shop", disk)) {
            assertThat(disk.calls()).containsExactly("write 32 at 0", "force 32");
            file.append(written.subList(0, 2));
            assertThat(disk.calls()).containsExactly("write 48 at 32", "force 80");
            file.append(List.of());
            assertThat(disk.calls()).isEmpty();

            disk.broken = true;
            assertThatThrownBy(() -> file.append(written.subList(0, 1))).hasMessage("planted");
            disk.broken = false;
            disk.calls();
            file.append(written.subList(0, 1));
            assertThat(disk.calls())
                    .as("the uncertain record is removed first")
                    .containsExactly("force 80", "write 24 at 80", "force 104");
        }
    }

    @Test
    void removesAFileThatItCouldNotBegin() {
        RecordingDisk disk = new RecordingDisk();
        disk.broken = true;

        assertThatThrownBy(() -> JournalFile.create(folder, 1, "shop", disk)).hasMessage("planted");

        assertThat(folder.resolve("1" + JournalFile.SUFFIX)).doesNotExist();
        assertThat(disk.last).isNotNull();
        assertThat(disk.last.isOpen()).isFalse();
    }

    @Test
    void writesNothingAfterCloseOrDelete() throws IOException {
        JournalFile closed = JournalFile.create(folder, 1, "shop", JournalStorage.REAL);
        closed.close();
        assertThatThrownBy(() -> closed.append(written)).isInstanceOf(ClosedChannelException.class);
        JournalFile deleted = JournalFile.create(folder, 2, "shop", JournalStorage.REAL);
        deleted.delete();
        assertThatThrownBy(() -> deleted.append(written)).isInstanceOf(ClosedChannelException.class);
        assertThat(folder.resolve("1" + JournalFile.SUFFIX)).exists();
        assertThat(folder.resolve("2" + JournalFile.SUFFIX)).doesNotExist();
    }

    @Test
    void truncatesAtMostOneBatch() throws IOException {
        change(record(7), new byte[BATCH]);
        assertThat(read()).isEqualTo(written.subList(0, 7));
        assertThat(Files.size(path)).isEqualTo(record(7));

        Files.write(path, new byte[BATCH + 1], StandardOpenOption.APPEND);
        assertThatThrownBy(this::read).hasMessageContaining("the record at byte " + record(7));
    }

    private List<Entry> read(Entry... more) throws IOException {
        List<Entry> found = new ArrayList<>();
        try (JournalFile file = Objects.requireNonNull(JournalFile.open(path, "shop", BATCH, found::add))) {
            file.append(List.of(more));
            assertThat(file.forgetAt()).isEqualTo(FORGET_AT);
        }
        return found;
    }

    private static int record(int number) {
        return JournalFormat.HEADER + number * JournalFormat.RECORD;
    }

    private void change(int offset, byte[] bytes) throws IOException {
        try (FileChannel channel = FileChannel.open(path, StandardOpenOption.WRITE)) {
            channel.write(ByteBuffer.wrap(bytes), offset);
        }
    }

    private void flip(int offset, int bits) throws IOException {
        byte now = Files.readAllBytes(path)[offset];
        change(offset, new byte[] {(byte) (now ^ bits)});
    }

    /** Disk that becomes full in the middle of a write. */
    private static final class HalfDisk implements JournalStorage {

        private boolean broken;

        @Override
        public void write(FileChannel file, ByteBuffer bytes) throws IOException {
            if (broken) {
                file.write(bytes.limit(bytes.limit() / 2));
                throw new IOException("planted");
            }
            JournalStorage.REAL.write(file, bytes);
        }

        @Override
        public void force(FileChannel file) throws IOException {
            JournalStorage.REAL.force(file);
        }
    }

    /** Records its calls; full on demand. */
    private static final class RecordingDisk implements JournalStorage {

        private List<String> calls = new ArrayList<>();
        private boolean broken;
        private @Nullable FileChannel last;

        List<String> calls() {
            List<String> result = calls;
            calls = new ArrayList<>();
            return result;
        }

        @Override
        public void write(FileChannel file, ByteBuffer bytes) throws IOException {
            last = file;
            if (broken) {
                throw new IOException("planted");
            }
            calls.add("write " + bytes.remaining() + " at " + file.position());
            JournalStorage.REAL.write(file, bytes);
        }

        @Override
        public void force(FileChannel file) throws IOException {
            calls.add("force " + file.size());
            JournalStorage.REAL.force(file);
        }
    }
}
