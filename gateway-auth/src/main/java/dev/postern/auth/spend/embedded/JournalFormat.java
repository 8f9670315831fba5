package dev.postern.auth.spend.embedded;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * Format of a journal file: a header of 32 bytes, then 24 bytes for each spend or refund.
 *
 * <p>Header: {@code POSTERN1} (8 bytes), the time at which the tokens may be forgotten (8, milliseconds since 1970), a random salt (8),
 * CRC32C of the namespace (4), CRC32C of the preceding 28 bytes (4). Record: the key (16), the kind (4), CRC32C of salt, key and kind (4).
 * The salt of the file ensures that old content of a disk block is not read as a record. Numbers are big-endian.
 */
final class JournalFormat {

    static final int HEADER = 32;
    static final int RECORD = 24;

    private static final byte[] MAGIC = "POSTERN1".getBytes(US_ASCII);

    private JournalFormat() {}

    /** Kind of a record. */
    enum Kind {
        SPENT,
        REFUNDED
    }

    /** Entry of the journal: the content of one record. */
    record Entry(long high, long low, Kind kind) {}

    /** Header of a file. */
    record Header(long forgetAt, long salt) {

        ByteBuffer bytes(String namespace) {
            ByteBuffer bytes = ByteBuffer.allocate(HEADER)
                    .put(MAGIC)
                    .putLong(forgetAt)
                    .putLong(salt)
                    .putInt(checksum(ByteBuffer.wrap(namespace.getBytes(US_ASCII))));
            return bytes.putInt(checksum(bytes.duplicate().flip())).flip();
        }

        /** Returns whether the bytes are a complete header. */
        static boolean whole(ByteBuffer bytes) {
            return bytes.limit() >= HEADER && bytes.getInt(HEADER - 4) == checksum(bytes.slice(0, HEADER - 4));
        }

        /** Reads a header. Throws {@link JournalException} if the bytes are not a header or belong to another namespace. */
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

        /** Reads the record at the offset. Returns null if the bytes are not a record of this file. */
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
