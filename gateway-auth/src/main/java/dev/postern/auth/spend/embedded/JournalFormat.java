package dev.postern.auth.spend.embedded;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * How a file of the journal looks: 32 bytes that say what it is, then 24 for each spend or return.
 *
 * <p>Header: 8 bytes {@code POSTERN1}, when its tokens may be forgotten (8 bytes, milliseconds since 1970), a random salt (8), CRC32C of the
 * namespace (4), CRC32C of these (4). Record: the key (16), a kind (4), CRC32C of salt, key and kind (4): with the salt of the file, so that
 * what a disk block held before is no record. Numbers are big-endian.
 */
final class JournalFormat {

    static final int HEADER = 32;
    static final int RECORD = 24;

    private static final byte[] MAGIC = "POSTERN1".getBytes(US_ASCII);

    private JournalFormat() {}

    /** What a record says of its key. */
    enum Kind {
        SPENT,
        GIVEN_BACK
    }

    /** One record. */
    record Entry(long high, long low, Kind kind) {}

    /** What a file is for. */
    record Header(long forgetAt, long salt) {

        ByteBuffer bytes(String namespace) {
            ByteBuffer bytes = ByteBuffer.allocate(HEADER)
                    .put(MAGIC)
                    .putLong(forgetAt)
                    .putLong(salt)
                    .putInt(checksum(ByteBuffer.wrap(namespace.getBytes(US_ASCII))));
            return bytes.putInt(checksum(bytes.duplicate().flip())).flip();
        }

        /** Whether these are the bytes of some header. */
        static boolean whole(ByteBuffer bytes) {
            return bytes.limit() >= HEADER && bytes.getInt(HEADER - 4) == checksum(bytes.slice(0, HEADER - 4));
        }

        /** Throws {@link JournalException} for what is no header, or another namespace's. */
        static Header read(ByteBuffer bytes, String namespace, Path file) {
            if (!whole(bytes) || !bytes.slice(0, MAGIC.length).equals(ByteBuffer.wrap(MAGIC))) {
                throw new JournalException(file, "no journal (expected: its first 32 bytes as they were written)");
            }
            Header header = new Header(bytes.getLong(MAGIC.length), bytes.getLong(MAGIC.length + Long.BYTES));
            if (!bytes.slice(0, HEADER).equals(header.bytes(namespace))) {
                throw new JournalException(file, "of another namespace (expected: " + namespace + ")");
            }
            return header;
        }

        void write(ByteBuffer into, Entry entry) {
            int start = into.position();
            into.putLong(entry.high).putLong(entry.low).putInt(entry.kind.ordinal());
            into.putInt(salted(into, start));
        }

        /** The record that begins there, or null when it is none. */
        @Nullable
        Entry read(ByteBuffer records, int offset) {
            int kind = records.getInt(offset + 16);
            boolean good = kind >= 0
                    && kind < Kind.values().length
                    && records.getInt(offset + RECORD - 4) == salted(records, offset);
            return good ? new Entry(records.getLong(offset), records.getLong(offset + 8), Kind.values()[kind]) : null;
        }

        private int salted(ByteBuffer records, int offset) {
            CRC32C sum = new CRC32C();
            sum.update(ByteBuffer.allocate(Long.BYTES).putLong(0, salt));
            sum.update(records.duplicate().limit(offset + RECORD - 4).position(offset));
            return (int) sum.getValue();
        }
    }

    private static int checksum(ByteBuffer bytes) {
        CRC32C sum = new CRC32C();
        sum.update(bytes.duplicate());
        return (int) sum.getValue();
    }
}
